import type { NamespaceRef } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { Charge, CostsSink, UseSubject } from '../parts/cost-part.ts'
import { addIdle, CostColumns } from './cost-columns.ts'
import type { NodeLoads, NodePrices } from './nodes.ts'
import { pricedRanges, priceSpansIn } from './nodes.ts'
import { cpuAsked, currentRequests, loadsLimiting, memoryAsked, shareAt } from './spend.ts'
import { TimeSteps } from './time-steps.ts'

/** Why a cost differs between two periods, in the order in which the parts are separated. */
export const changeParts = [
  'hours',
  'new',
  'gone',
  'count',
  'size',
  'mix',
  'price',
  'idle',
  'shared',
] as const
export type ChangePart = (typeof changeParts)[number]
export type ChangeParts = Record<ChangePart, number>

export const noParts = (): ChangeParts => ({
  ...{ hours: 0, new: 0, gone: 0, count: 0, size: 0, mix: 0, price: 0, idle: 0 },
  shared: 0,
})

const resources = ['cpu', 'memory', 'gpu', 'other'] as const

/** Cores, GiB or GPUs times hours that were charged, and what they cost. */
interface Charged {
  units: number
  usd: number
}

export interface ContainerCosts {
  readonly cluster: string
  readonly namespace: string
  readonly workload: string
  readonly container: string
  hours: number
  /** By resource, then by kind of node. */
  readonly charged: Readonly<Record<(typeof resources)[number], Map<string, Charged>>>
}

/** What identifies nodes that have the same price, such as the instance type with its zone and payment. */
export type NodeKindOf = (cluster: string, node: string) => string

/** What a group receives; its values are those of sharingKeys(), '' for idle cost. */
export interface ReceivedCost {
  readonly values: readonly string[]
  readonly usd: number
}

/** All costs of a period, by container and by cluster. */
export class PeriodCosts implements CostsSink {
  readonly containers = new Map<string, ContainerCosts>()
  readonly idleUsd = new Map<string, number>()
  readonly measured = new Map<string, HourRange>()
  /** What groups receive of shared costs; what they pass on is negative. */
  received: readonly ReceivedCost[] = []
  readonly #hours: HourRange
  readonly #prices: NodePrices
  readonly #kindOf: NodeKindOf

  constructor(hours: HourRange, prices: NodePrices, kindOf: NodeKindOf) {
    this.#hours = hours
    this.#prices = prices
    this.#kindOf = kindOf
  }

  add(subject: UseSubject, workload: string, use: HourlyUse, nodes: NodeLoads): void {
    const { cluster } = subject
    const into = this.#costsOf(subject, workload)
    for (const { from, to, setting, price } of pricedRanges(use, this.#prices, cluster)) {
      const { node, gpus = 0 } = setting
      const loads = loadsLimiting(price, node, (name) => nodes.columnsOf(name))
      const [cpu, memory] = [cpuAsked(setting, currentRequests), memoryAsked(setting, currentRequests)]
      let [cores, gib, counted] = [0, 0, 0]
      for (let index = from; index < to; index++) {
        const hours = use.seconds[index]! / hourSeconds
        const within = hours * (loads === undefined ? 1 : shareAt(price, loads, use.hours[index]!))
        into.hours += hours
        counted += within
        cores += Math.max(cpu, use.cores[index]!) * within
        gib += Math.max(memory, use.gib[index]!) * within
      }
      const kind = node === undefined ? '' : this.#kindOf(cluster, node)
      charge(into.charged.cpu, kind, cores, price.corePerHourUsd)
      charge(into.charged.memory, kind, gib, price.gibPerHourUsd)
      charge(into.charged.gpu, kind, gpus * counted, price.gpuPerHourUsd ?? 0)
    }
  }

  addCharge({ place, hours, priceKind, units, unitPerHourUsd }: Charge): void {
    const ran = Math.min(hours.to, this.#hours.to) - Math.max(hours.from, this.#hours.from)
    if (ran <= 0 || unitPerHourUsd === null) return
    const into = this.#costsOf({ ...place, container: place.container ?? '' }, place.workload)
    into.hours += ran
    charge(into.charged.other, priceKind, units * ran, unitPerHourUsd)
  }

  #costsOf(
    { cluster, namespace, container }: NamespaceRef & { readonly container: string },
    workload: string,
  ): ContainerCosts {
    const key = [cluster, namespace, workload, container].join('\0')
    return this.containers.getOrInsertComputed(key, () => ({
      ...{ cluster, namespace, workload, container },
      hours: 0,
      charged: chargedByKind(),
    }))
  }

  /** `endAt` is the time of the cluster's last sample, in seconds since 1970. */
  addIdle(cluster: string, loads: NodeLoads, endAt: number): void {
    const steps = new TimeSteps(this.#hours, 'month')
    const columns = new CostColumns(steps.count)
    for (const [node, load] of loads.entries())
      for (const { price, ...hours } of priceSpansIn(this.#prices, cluster, node, this.#hours))
        addIdle(columns, load, price, steps, hours, endAt)
    const usd = columns.idleUsd.reduce((sum, each) => sum + each, 0)
    this.idleUsd.set(cluster, (this.idleUsd.get(cluster) ?? 0) + usd)
  }

  addMeasured(cluster: string, measured: HourRange): void {
    this.measured.set(cluster, measured)
  }

  /** Forgets what is not of this namespace. */
  keepOnly(namespace: string | undefined): void {
    if (namespace === undefined) return
    this.idleUsd.clear()
    for (const [key, of] of this.containers) if (of.namespace !== namespace) this.containers.delete(key)
  }

  unitPrices(): UnitPrices {
    const sums = chargedByKind()
    for (const { charged } of this.containers.values())
      for (const resource of resources)
        for (const [kind, { units, usd }] of charged[resource]) {
          const sum = sums[resource].getOrInsertComputed(kind, () => ({ units: 0, usd: 0 }))
          sum.units += units
          sum.usd += usd
        }
    return (resource, kind) => {
      const sum = sums[resource].get(kind)
      return sum === undefined || sum.units === 0 ? undefined : sum.usd / sum.units
    }
  }
}

const chargedByKind = (): ContainerCosts['charged'] => ({
  ...{ cpu: new Map(), memory: new Map(), gpu: new Map(), other: new Map() },
})

type UnitPrices = (resource: (typeof resources)[number], kind: string) => number | undefined

function charge(into: Map<string, Charged>, kind: string, units: number, unitUsd: number): void {
  if (units === 0) return
  const sum = into.getOrInsertComputed(kind, () => ({ units: 0, usd: 0 }))
  sum.units += units
  sum.usd += units * unitUsd
}

/** What a container would have cost in so many times its hours. */
export function timesHours(costs: ContainerCosts, factor: number): ContainerCosts {
  const charged = chargedByKind()
  for (const resource of resources)
    for (const [kind, { units, usd }] of costs.charged[resource])
      charged[resource].set(kind, { units: units * factor, usd: usd * factor })
  return { ...costs, hours: costs.hours * factor, charged }
}

export const usdOfContainer = ({ charged }: ContainerCosts): number =>
  resources.reduce((sum, resource) => sum + chargedSum(charged[resource]).usd, 0)

export function chargedSum(charged: ReadonlyMap<string, Charged>): Charged {
  const sum = { units: 0, usd: 0 }
  for (const { units, usd } of charged.values()) {
    sum.units += units
    sum.usd += usd
  }
  return sum
}

/**
 * Divides the difference in the cost of a container into parts, which add up to it. Cost is hours x size x unit price, and one
 * after the other takes its new value: hours (count), size, the kinds of nodes at their earlier prices (mix), and the prices.
 * `priceBefore` is the earlier unit price of a kind of node; a kind that is new has its current price.
 */
export function partsOfContainer(
  before: ContainerCosts | undefined,
  now: ContainerCosts | undefined,
  priceBefore: UnitPrices,
): ChangeParts {
  const parts = noParts()
  if (before === undefined || now === undefined) {
    if (now !== undefined) parts.new = usdOfContainer(now)
    if (before !== undefined) parts.gone = -usdOfContainer(before)
    return parts
  }
  for (const resource of resources) {
    const [was, is] = [chargedSum(before.charged[resource]), chargedSum(now.charged[resource])]
    const grownUsd = before.hours === 0 ? was.usd : was.usd * (now.hours / before.hours)
    let earlierUsd = 0
    for (const [kind, { units, usd }] of now.charged[resource])
      earlierUsd += units * (priceBefore(resource, kind) ?? usd / units)
    // Nothing was charged before: there is no earlier unit price, and all of it is size.
    const sizedUsd = was.units === 0 ? earlierUsd : is.units * (was.usd / was.units)
    parts.count += grownUsd - was.usd
    parts.size += sizedUsd - grownUsd
    parts.mix += earlierUsd - sizedUsd
    parts.price += is.usd - earlierUsd
  }
  return parts
}
