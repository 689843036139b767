import { hourSeconds } from '../../domain/time.ts'

import type { HourlyUse, SettingRange } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { Charge } from '../parts/cost-part.ts'
import { type HourColumns, isRunningAt } from './hour-columns.ts'
import { isEstimate, type NodePrice, type NodePrices, pricedRanges, shareWithinPrice } from './nodes.ts'
import {
  cpuAsked,
  currentRequests,
  greater,
  hoursOf,
  loadsLimiting,
  memoryAsked,
  type NodeLoadLookup,
} from './spend.ts'
import type { TimeSteps } from './time-steps.ts'

export class CostColumns {
  readonly cpuUsd: Float64Array
  readonly memoryUsd: Float64Array
  readonly gpuUsd: Float64Array
  readonly requestedGpuHours: Float64Array
  readonly estimatedUsd: Float64Array
  /** The part of its nodes' price that nothing on them accounts for. */
  readonly idleUsd: Float64Array
  readonly estimatedIdleUsd: Float64Array
  readonly requestedCoreHours: Float64Array
  readonly usedCoreHours: Float64Array
  readonly requestedGibHours: Float64Array
  readonly usedGibHours: Float64Array
  /** Idle cost and cost of shared namespaces that the group received. */
  readonly sharedUsd: Float64Array
  /** Charges with a price of their own, such as volumes. */
  readonly otherUsd: Float64Array
  /** Hours of what has no price. */
  readonly unpricedHours: Float64Array
  /** What pods sent, if all of it were charged; in no cost. */
  readonly atMostUsd: Float64Array
  readonly #all: Float64Array

  constructor(steps: number) {
    const all = new Float64Array(steps * columnCount)
    this.#all = all
    const column = (index: number) => all.subarray(index * steps, (index + 1) * steps)
    this.cpuUsd = column(0)
    this.memoryUsd = column(1)
    this.estimatedUsd = column(2)
    this.idleUsd = column(3)
    this.requestedCoreHours = column(4)
    this.usedCoreHours = column(5)
    this.requestedGibHours = column(6)
    this.usedGibHours = column(7)
    this.estimatedIdleUsd = column(8)
    this.gpuUsd = column(9)
    this.requestedGpuHours = column(10)
    this.sharedUsd = column(11)
    this.otherUsd = column(12)
    this.unpricedHours = column(13)
    this.atMostUsd = column(14)
  }

  addAll(other: CostColumns): void {
    for (let index = 0; index < this.#all.length; index++) this.#all[index]! += other.#all[index]!
  }
}

const columnCount = 15

/** The cost of what runs, without what it received of others, in one step. */
export const usageUsd = ({ cpuUsd, memoryUsd, gpuUsd, otherUsd }: CostColumns, step: number): number =>
  cpuUsd[step]! + memoryUsd[step]! + gpuUsd[step]! + otherUsd[step]!

export function addCharge(
  columns: CostColumns,
  { hours, units, unitPerHourUsd, atMostPerHourUsd, isEstimate: isAssumed }: Charge,
  steps: TimeSteps,
  window: HourRange,
): void {
  const end = Math.min(hours.to, window.to)
  for (let from = Math.max(hours.from, window.from); from < end; ) {
    const step = steps.indexOf(Math.floor(from))
    const to = Math.min(end, steps.rangeAt(step).to)
    const usd = units * (unitPerHourUsd ?? 0) * (to - from)
    columns.otherUsd[step]! += usd
    if (atMostPerHourUsd !== undefined) columns.atMostUsd[step]! += units * atMostPerHourUsd * (to - from)
    else if (unitPerHourUsd === null) columns.unpricedHours[step]! += to - from
    if (isAssumed) columns.estimatedUsd[step]! += usd
    from = to
  }
}

/**
 * Adds the cost of one pod's container to the group of the node that it ran on. The sum over all steps is equal to that of
 * addSpend.
 */
export function addCosts(
  columnsOf: (node: string | undefined) => CostColumns,
  { subject, use }: { readonly subject: { readonly cluster: string }; readonly use: HourlyUse },
  steps: TimeSteps,
  prices: NodePrices,
  loadsOf: NodeLoadLookup,
  shares = new NodeShares(),
): void {
  for (const range of pricedRanges(use, prices, subject.cluster)) {
    const loads = loadsLimiting(range.price, range.setting.node, loadsOf)
    addRange(columnsOf(range.setting.node), use, range, steps, shares.of(range.price, loads))
  }
}

/** Arrays are not destructured here, which would take longer than everything else. */
function addRange(
  columns: CostColumns,
  { hours: startHours, seconds, cores: usedCores, gib: usedGib }: HourlyUse,
  { from, to, setting, price }: SettingRange & { readonly price: NodePrice },
  steps: TimeSteps,
  { first, shareAt }: Shares,
): void {
  const cpu = cpuAsked(setting, currentRequests)
  const memory = memoryAsked(setting, currentRequests)
  const { gpus = 0 } = setting
  for (let index = from; index < to; ) {
    const step = steps.indexOf(startHours[index]!)
    const until = steps.rangeAt(step).to
    // Sums of a step are local, because that is several times as fast as adding to each column in every hour.
    let ran = 0
    let counted = 0
    let cpuUnits = 0
    let memoryUnits = 0
    let coreHours = 0
    let gibHours = 0
    for (; index < to && startHours[index]! < until; index++) {
      const cores = usedCores[index]!
      const gib = usedGib[index]!
      const hours = hoursOf(seconds[index]!)
      const at = startHours[index]! - first
      const within = at >= 0 && at < shareAt.length ? hours * shareAt[at]! : hours
      ran += hours
      counted += within
      cpuUnits += greater(cpu, cores) * within
      memoryUnits += greater(memory, gib) * within
      coreHours += cores * hours
      gibHours += gib * hours
    }
    const cpuUsd = cpuUnits * price.corePerHourUsd
    const memoryUsd = memoryUnits * price.gibPerHourUsd
    const gpuUsd = gpus * counted * (price.gpuPerHourUsd ?? 0)
    columns.cpuUsd[step]! += cpuUsd
    columns.memoryUsd[step]! += memoryUsd
    columns.gpuUsd[step]! += gpuUsd
    if (isEstimate(price)) columns.estimatedUsd[step]! += cpuUsd + memoryUsd + gpuUsd
    columns.requestedCoreHours[step]! += cpu * ran
    columns.usedCoreHours[step]! += coreHours
    columns.requestedGibHours[step]! += memory * ran
    columns.usedGibHours[step]! += gibHours
    columns.requestedGpuHours[step]! += gpus * ran
  }
}

/** The shares of spend on nodes that count (see shareWithinPrice), which are the same for everything on a node. */
export class NodeShares {
  readonly #known = new Map<HourColumns, Map<NodePrice, Shares>>()
  readonly #whole: Shares = { first: 0, shareAt: new Float64Array() }

  of(price: NodePrice, loads: HourColumns | undefined): Shares {
    if (loads === undefined) return this.#whole
    return this.#known
      .getOrInsertComputed(loads, () => new Map())
      .getOrInsertComputed(price, () => ({
        first: loads.first,
        shareAt: Float64Array.from({ length: loads.length }, (_, index) =>
          shareWithinPrice(price, loads, index),
        ),
      }))
  }
}

interface Shares {
  readonly first: number
  /** By hours since the first; absent ones are 1. */
  readonly shareAt: Float64Array
}

/**
 * Adds the part of a node's price that nothing on it accounts for, in the time in which anything runs on it. The hour of
 * the last sample counts up to that sample. A node of 0.184 an hour with 0.076 on it -> 0.108.
 */
export function addIdle(
  columns: CostColumns,
  loads: HourColumns,
  price: NodePrice,
  steps: TimeSteps,
  hours: HourRange,
  endAt: number,
): void {
  const { perHourUsd, gpuPerHourUsd = 0 } = price
  const { first, end, cores, gib } = loads
  if (perHourUsd === null) return
  for (let hour = Math.max(hours.from, first); hour < Math.min(hours.to, end); hour++) {
    const [onCores, onGib, onGpus] = [cores[hour - first]!, gib[hour - first]!, loads.gpusAt(hour - first)]
    if (onCores === 0 && onGib === 0 && onGpus === 0) continue
    const isOver = isRunningAt(endAt, (hour + 1) * hourSeconds)
    const share = loads.presenceAt(hour - first, isOver ? hourSeconds : endAt - hour * hourSeconds)
    const usedUsd = onCores * price.corePerHourUsd + onGib * price.gibPerHourUsd + onGpus * gpuPerHourUsd
    const [step, idleUsd] = [steps.indexOf(hour), Math.max(0, perHourUsd * share - usedUsd)]
    columns.idleUsd[step]! += idleUsd
    if (isEstimate(price)) columns.estimatedIdleUsd[step]! += idleUsd
  }
}
