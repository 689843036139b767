import { hourSeconds } from '../usage/digest/digest.ts'
import type { ContainerSetting, HourlyUse, SettingRange } from '../usage/reading/hourly-use.ts'
import type { PlacedUse } from '../usage/reading/pod-usage.ts'
import type { HourColumns } from './hour-columns.ts'
import {
  isEstimate,
  type NodeLoads,
  type NodePrice,
  type NodePrices,
  nodePriceOf,
  shareWithinPrice,
} from './nodes.ts'

/** Requests in cores and GiB; undefined: as they are. */
export interface RequestOverrides {
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

export const currentRequests: RequestOverrides = { cpu: undefined, memory: undefined }

export interface Spend {
  readonly cpuUsd: number
  readonly memoryUsd: number
  /** The part of both that is by base rates; absent where none is. */
  readonly estimatedUsd?: number
}

/** Hour by hour, what is on a node; undefined: overfull nodes are not checked. */
export type NodeLoadLookup = ((node: string) => HourColumns | undefined) | undefined

/**
 * Over containers and hours: max(request, mean usage) x price. Where everything on a node comes to more than the node costs,
 * each gets its part of the node's price. 2 cores and 4 GiB for 3 hours at 0.03 and 0.004: 3 x (0.06 + 0.016) -> 0.228.
 */
export function allocateSpend(
  pods: readonly PlacedUse[],
  requests: RequestOverrides,
  prices: NodePrices,
  loadsOf: NodeLoadLookup,
): Spend {
  const spent = { cpuUsd: 0, memoryUsd: 0 }
  for (const pod of pods) addSpend(spent, pod, requests, prices, loadsOf)
  return spent
}

/** Adds what one pod's container costs. */
export function addSpend(
  spent: Spending,
  { subject, use }: PlacedUse,
  requests: RequestOverrides,
  prices: NodePrices,
  loadsOf: NodeLoadLookup,
): void {
  for (const { from, to, setting } of use.steps()) {
    const price = nodePriceOf(prices, subject.cluster, setting.node)
    spend(spent, use, from, to, setting, requests, price, loadsLimiting(price, setting.node, loadsOf))
  }
}

type Spending = { -readonly [Name in keyof Spend]: Spend[Name] }

function spend(
  spent: Spending,
  use: HourlyUse,
  from: number,
  to: number,
  setting: ContainerSetting,
  requests: RequestOverrides,
  price: NodePrice,
  loads: HourColumns | undefined,
): void {
  const [cpu, memory] = [cpuAsked(setting, requests), memoryAsked(setting, requests)]
  const { seconds, cores, gib } = use
  const { corePerHourUsd, gibPerHourUsd } = price
  let { cpuUsd, memoryUsd } = spent
  for (let index = from; index < to; index++) {
    const share = loads === undefined ? 1 : shareAt(price, loads, use.hours[index]!)
    const hours = hoursOf(seconds[index]!) * share
    cpuUsd += greater(cpu, cores[index]!) * hours * corePerHourUsd
    memoryUsd += greater(memory, gib[index]!) * hours * gibPerHourUsd
  }
  if (isEstimate(price))
    spent.estimatedUsd = (spent.estimatedUsd ?? 0) + (cpuUsd - spent.cpuUsd) + (memoryUsd - spent.memoryUsd)
  spent.cpuUsd = cpuUsd
  spent.memoryUsd = memoryUsd
}

/** The loads that limit what is counted: those of a node whose price as a whole is known. */
export const loadsLimiting = (
  price: NodePrice,
  node: string | undefined,
  loadsOf: NodeLoadLookup,
): HourColumns | undefined => (node === undefined || price.perHourUsd === null ? undefined : loadsOf?.(node))

/** What part of a node's hour is counted; see shareWithinPrice. */
export function shareAt(price: NodePrice, { first, length, cores, gib }: HourColumns, hour: number): number {
  const index = hour - first
  return index < 0 || index >= length ? 1 : shareWithinPrice(price, cores[index]!, gib[index]!)
}

/** Adds what containers keep from others on their nodes: the greater of request and mean usage, while they ran. */
export function addLoads(into: NodeLoads, use: HourlyUse): void {
  for (const step of use.steps()) {
    const { from, to, setting } = step
    if (setting.node === undefined) continue
    const [cpu, memory] = [cpuAsked(setting, currentRequests), memoryAsked(setting, currentRequests)]
    const { first, cores, gib } = covering(into, setting.node, use, step)
    const { seconds, hours: places, cores: usedCores, gib: usedGib } = use
    for (let index = from; index < to; index++) {
      const hours = hoursOf(seconds[index]!)
      const at = places[index]! - first
      cores[at]! += greater(cpu, usedCores[index]!) * hours
      gib[at]! += greater(memory, usedGib[index]!) * hours
    }
  }
}

/** Adds by how much other requests would change that. */
export function addRequestChange(
  into: NodeLoads,
  pods: readonly Pick<PlacedUse, 'use'>[],
  requests: RequestOverrides,
): void {
  if (requests.cpu === undefined && requests.memory === undefined) return
  for (const { use } of pods)
    for (const step of use.steps()) {
      const { from, to, setting } = step
      if (setting.node === undefined) continue
      const [cpu, memory] = [cpuAsked(setting, currentRequests), memoryAsked(setting, currentRequests)]
      const [newCpu, newMemory] = [cpuAsked(setting, requests), memoryAsked(setting, requests)]
      const { first, cores, gib } = covering(into, setting.node, use, step)
      const { seconds, hours: places, cores: allCores, gib: allGib } = use
      for (let index = from; index < to; index++) {
        const hours = hoursOf(seconds[index]!)
        const at = places[index]! - first
        const usedCores = allCores[index]!
        const usedGib = allGib[index]!
        cores[at]! += (greater(newCpu, usedCores) - greater(cpu, usedCores)) * hours
        gib[at]! += (greater(newMemory, usedGib) - greater(memory, usedGib)) * hours
      }
    }
}

/** The node's columns, extended to the hours of a stretch. */
function covering(
  into: NodeLoads,
  node: string,
  { hours }: HourlyUse,
  { from, to }: SettingRange,
): HourColumns {
  const columns = into.from(node, hours[from]!)
  columns.cover(hours[from]!, hours[to - 1]!)
  return columns
}

/** Adds what one core and one GiB of a pod cost over the hours it ran. */
export function addUnitUsd(units: UnitUsd, { subject, use }: PlacedUse, prices: NodePrices): void {
  for (const { from, to, setting } of use.steps()) {
    const price: NodePrice = nodePriceOf(prices, subject.cluster, setting.node)
    const hours = use.hoursRun(from, to)
    units.cpu += hours * price.corePerHourUsd
    units.memory += hours * price.gibPerHourUsd
  }
}

interface UnitUsd {
  cpu: number
  memory: number
}

/** Most are whole hours, and a division takes as long as all else. */
const hoursOf = (seconds: number): number => (seconds === hourSeconds ? 1 : seconds / hourSeconds)
/** As Math.max of numbers that are none of them NaN or a negative zero. */
const greater = (a: number, b: number): number => (a > b ? a : b)

export const cpuAsked = (setting: ContainerSetting, requests: RequestOverrides): number =>
  requests.cpu ?? setting.cpuRequestCores ?? 0
export const memoryAsked = (setting: ContainerSetting, requests: RequestOverrides): number =>
  requests.memory ?? setting.memoryRequestGib ?? 0

export const usdOf = ({ cpuUsd, memoryUsd }: Spend): number => cpuUsd + memoryUsd
