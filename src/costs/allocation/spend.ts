import { hourSeconds } from '../../domain/time.ts'

import type { ContainerSetting, HourlyUse, SettingRange } from '../../usage/reading/hourly-use.ts'
import type { ContainerUse } from '../../usage/reading/pod-usage.ts'
import { type HourColumns, secondsLeftOf } from './hour-columns.ts'
import {
  isEstimate,
  type NodeLoads,
  type NodePrice,
  type NodePrices,
  pricedRanges,
  shareWithinPrice,
} from './nodes.ts'

/** Requests in cores and GiB; undefined means the current request. */
export interface RequestOverrides {
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

export const currentRequests: RequestOverrides = { cpu: undefined, memory: undefined }

export interface Spend {
  readonly cpuUsd: number
  readonly memoryUsd: number
  readonly gpuUsd: number
  /** The part of all that is priced by base rates; absent if there is none. */
  readonly estimatedUsd?: number
}

/** Returns the load of a node, hour by hour. If it is undefined, overfull nodes are not checked. */
export type NodeLoadLookup = ((node: string) => HourColumns | undefined) | undefined

/**
 * Adds max(request, mean usage) x price over containers and hours, and requested GPUs x price. If everything on a node
 * costs more than the node itself, each container gets its part of the node's price.
 * 2 cores and 4 GiB for 3 hours at 0.03 and 0.004: 3 x (0.06 + 0.016) -> 0.228.
 */
export function allocateSpend(
  pods: readonly ContainerUse[],
  requests: RequestOverrides,
  prices: NodePrices,
  loadsOf: NodeLoadLookup,
): Spend {
  const spent = noSpend()
  for (const pod of pods) addSpend(spent, pod, requests, prices, loadsOf)
  return spent
}

export function addSpend(
  spent: Spending,
  { subject, use }: ContainerUse,
  requests: RequestOverrides,
  prices: NodePrices,
  loadsOf: NodeLoadLookup,
): void {
  for (const { price, ...step } of pricedRanges(use, prices, subject.cluster))
    addSpendOfStep(spent, use, step, requests, price, loadsLimiting(price, step.setting.node, loadsOf))
}

export const noSpend = () => ({ cpuUsd: 0, memoryUsd: 0, gpuUsd: 0 })

type Spending = { -readonly [Name in keyof Spend]: Spend[Name] }

function addSpendOfStep(
  spent: Spending,
  use: HourlyUse,
  { from, to, setting }: SettingRange,
  requests: RequestOverrides,
  price: NodePrice,
  loads: HourColumns | undefined,
): void {
  const [cpu, memory] = [cpuAsked(setting, requests), memoryAsked(setting, requests)]
  const { seconds, cores, gib } = use
  const { corePerHourUsd, gibPerHourUsd } = price
  const gpusUsd = (setting.gpus ?? 0) * (price.gpuPerHourUsd ?? 0)
  let { cpuUsd, memoryUsd, gpuUsd } = spent
  for (let index = from; index < to; index++) {
    const share = loads === undefined ? 1 : shareAt(price, loads, use.hours[index]!)
    const hours = hoursOf(seconds[index]!) * share
    cpuUsd += greater(cpu, cores[index]!) * hours * corePerHourUsd
    memoryUsd += greater(memory, gib[index]!) * hours * gibPerHourUsd
    gpuUsd += hours * gpusUsd
  }
  if (isEstimate(price))
    spent.estimatedUsd = (spent.estimatedUsd ?? 0) + (cpuUsd + memoryUsd + gpuUsd - usdOf(spent))
  spent.cpuUsd = cpuUsd
  spent.memoryUsd = memoryUsd
  spent.gpuUsd = gpuUsd
}

/** Returns the load that limits the spend on a node; undefined if the price of the whole node is not known. */
export const loadsLimiting = (
  price: NodePrice,
  node: string | undefined,
  loadsOf: NodeLoadLookup,
): HourColumns | undefined => (node === undefined || price.perHourUsd === null ? undefined : loadsOf?.(node))

/** The share of the spend in a node's hour that counts; see shareWithinPrice. */
export function shareAt(price: NodePrice, loads: HourColumns, hour: number): number {
  const index = hour - loads.first
  if (index < 0 || index >= loads.length) return 1
  return shareWithinPrice(price, loads, index)
}

/** Adds what a container occupies on its nodes while it runs: the greater of request and mean usage, and GPUs. */
export function addLoads(into: NodeLoads, use: HourlyUse): void {
  for (const step of use.settingRanges()) {
    const { from, to, setting } = step
    if (setting.node === undefined) continue
    const [cpu, memory] = [cpuAsked(setting, currentRequests), memoryAsked(setting, currentRequests)]
    const columns = coveringColumns(into, setting.node, use, step)
    const { first, cores, gib } = columns
    const { seconds, lasts, hours: startHours, cores: usedCores, gib: usedGib } = use
    for (let index = from; index < to; index++) {
      const hours = hoursOf(seconds[index]!)
      const at = startHours[index]! - first
      cores[at]! += greater(cpu, usedCores[index]!) * hours
      gib[at]! += greater(memory, usedGib[index]!) * hours
      if (setting.gpus) columns.addGpus(startHours[index]!, setting.gpus * hours)
      const last = lasts[index]!
      const ran = seconds[index]!
      columns.extend(startHours[index]!, secondsLeftOf(last, ran), Math.max(last, ran))
    }
  }
}

export function addRequestChange(
  into: NodeLoads,
  pods: readonly Pick<ContainerUse, 'use'>[],
  requests: RequestOverrides,
): void {
  if (requests.cpu === undefined && requests.memory === undefined) return
  for (const { use } of pods)
    for (const step of use.settingRanges()) {
      const { from, to, setting } = step
      if (setting.node === undefined) continue
      const [cpu, memory] = [cpuAsked(setting, currentRequests), memoryAsked(setting, currentRequests)]
      const [newCpu, newMemory] = [cpuAsked(setting, requests), memoryAsked(setting, requests)]
      const { first, cores, gib } = coveringColumns(into, setting.node, use, step)
      const { seconds, hours: startHours, cores: allCores, gib: allGib } = use
      for (let index = from; index < to; index++) {
        const hours = hoursOf(seconds[index]!)
        const at = startHours[index]! - first
        const usedCores = allCores[index]!
        const usedGib = allGib[index]!
        cores[at]! += (greater(newCpu, usedCores) - greater(cpu, usedCores)) * hours
        gib[at]! += (greater(newMemory, usedGib) - greater(memory, usedGib)) * hours
      }
    }
}

function coveringColumns(into: NodeLoads, node: string, { hours }: HourlyUse, { from, to }: SettingRange) {
  const columns = into.from(node, hours[from]!)
  columns.cover(hours[from]!, hours[to - 1]!)
  return columns
}

/** Adds the cost of one core and of one GiB over the hours that a pod ran. */
export function addUnitUsd(units: UnitUsd, { subject, use }: ContainerUse, prices: NodePrices): void {
  for (const { from, to, price } of pricedRanges(use, prices, subject.cluster)) {
    const hours = use.hoursRun(from, to)
    units.cpu += hours * price.corePerHourUsd
    units.memory += hours * price.gibPerHourUsd
  }
}

interface UnitUsd {
  cpu: number
  memory: number
}

/** Most values are whole hours, and a division would take as long as everything else. */
export const hoursOf = (seconds: number): number => (seconds === hourSeconds ? 1 : seconds / hourSeconds)
/** Equal to Math.max, if neither number is NaN or a negative zero. */
export const greater = (a: number, b: number): number => (a > b ? a : b)

export const cpuAsked = (setting: ContainerSetting, requests: RequestOverrides): number =>
  requests.cpu ?? setting.cpuRequestCores ?? 0
export const memoryAsked = (setting: ContainerSetting, requests: RequestOverrides): number =>
  requests.memory ?? setting.memoryRequestGib ?? 0

export const usdOf = ({ cpuUsd, memoryUsd, gpuUsd }: Spend): number => cpuUsd + memoryUsd + gpuUsd
