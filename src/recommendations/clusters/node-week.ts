import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { ClusterNodes, CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import type { ClusterPods } from './packing/cluster-pods.ts'
import { weekHours } from './packing/node-type.ts'

/** The nodes that a cluster really had, which an autoscaler adds and removes. */
export interface NodeWeek {
  /** The measured hours of the window, from 0, for each hour of the week from Monday 00:00 UTC. */
  readonly hours: readonly (readonly number[])[]
  /** The mean number of nodes in each hour of the week, by type. */
  readonly byType: ReadonlyMap<CurrentNodeType, Float64Array>
  readonly perMonthUsd: number
  /** Returns the mean over all measured hours of a number for each hour of the week. */
  meanOf(byHour: Float64Array): number
  /** Returns those of some nodes that ran in the hour in which most of them did. */
  atPeak(nodes: readonly CurrentNode[]): CurrentNode[]
}

/** The window begins at the hour `start`. */
type MeasuredHours = HourRange & { readonly start: number }

/**
 * Undefined if the number of nodes hardly rises and falls, or if the price of one is unknown. The nodes of
 * the control plane are not among them.
 */
export function nodeWeekOf(
  known: ClusterNodes,
  measured: MeasuredHours,
  pods: Pick<ClusterPods, 'controlPlane' | 'daemonNodes' | 'loads'>,
): NodeWeek | undefined {
  const { start, to } = measured
  const total = new Float64Array(Math.max(0, to - start))
  const byType = new Map<CurrentNodeType, Float64Array>()
  for (const [name] of pods.loads?.entries() ?? []) if (!known.has(name)) return undefined
  for (const node of known.values()) {
    if (pods.controlPlane.has(node.name)) continue
    for (const [hour, presence] of presenceOf(node, measured, pods)) {
      if (node.type.offer === undefined) return undefined
      total[hour - start]!++
      byType.getOrInsertComputed(node.type, () => new Float64Array(weekHours))[hourOfWeek(hour)]! += presence
    }
  }
  if (swingsIn(total) < minSwings) return undefined
  const hours = Array.from({ length: weekHours }, (): number[] => [])
  for (const [index, nodes] of total.entries()) if (nodes > 0) hours[hourOfWeek(start + index)]!.push(index)
  for (const sums of byType.values())
    for (let hour = 0; hour < weekHours; hour++) sums[hour]! /= Math.max(1, hours[hour]!.length)
  const meanOf = (byHour: Float64Array): number =>
    hours.reduce((sum, { length }, hour) => sum + length * byHour[hour]!, 0) / hours.flat().length
  return {
    hours,
    byType,
    perMonthUsd: [...byType].reduce((sum, [type, byHour]) => sum + meanOf(byHour) * type.perMonthUsd!, 0),
    meanOf,
    atPeak(nodes) {
      const counts = new Float64Array(total.length)
      for (const node of nodes)
        for (const [hour, presence] of presenceOf(node, measured, pods)) counts[hour - start]! += presence
      const peak = start + counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
      const hour = { from: peak, to: peak + 1 }
      return nodes.filter((node) => !presenceOf(node, hour, pods).next().done)
    },
  }
}

/** With nodes that are there all the time. */
export function withSteadyNodes(week: NodeWeek, nodes: readonly CurrentNode[]): NodeWeek {
  const byType = new Map(week.byType)
  for (const { type } of nodes)
    byType.set(
      type,
      (byType.get(type) ?? new Float64Array(weekHours)).map((count) => count + 1),
    )
  return { ...week, byType }
}

/** 1970 began on a Thursday. */
const hourOfWeek = (hour: number): number => (hour + 3 * 24) % weekHours

/** The part of each hour in which a node was there; whole hours if nothing ever ran on all nodes that would show it. */
function* presenceOf(
  { name, firstHour, lastHour }: CurrentNode,
  { from, to }: HourRange,
  { daemonNodes, loads }: Pick<ClusterPods, 'daemonNodes' | 'loads'>,
): Generator<[hour: number, presence: number]> {
  const columns = daemonNodes.has(name) ? loads?.columnsOf(name) : undefined
  if (columns === undefined) {
    const until = daemonNodes.has(name) ? 0 : Math.min(to, lastHour + 1)
    for (let hour = Math.max(from, firstHour); hour < until; hour++) yield [hour, 1]
    return
  }
  const { first, end, cores, gib } = columns
  for (let hour = Math.max(from, first); hour < Math.min(to, end); hour++) {
    const index = hour - first
    if (cores[index]! > 0 || gib[index]! > 0) yield [hour, columns.presenceAt(index)]
  }
}

/** Nodes that are replaced once are more for an hour; an autoscaler adds and removes some again and again. */
const minSwings = 3
const swingShare = 0.1

/** How often a number begins to fall after it rose, or to rise after it fell, by a tenth and by at least a node. */
function swingsIn(counts: Float64Array): number {
  let [least, most, direction, swings] = [Number.POSITIVE_INFINITY, 0, 0, 0]
  for (const count of counts) {
    if (count === 0) continue
    least = Math.min(least, count)
    most = Math.max(most, count)
    const step = Math.max(1, swingShare * most) - 1e-9
    const moved =
      direction <= 0 && count - least >= step ? 1 : direction >= 0 && most - count >= step ? -1 : 0
    if (moved === 0) continue
    ;[least, most, direction] = [count, count, moved]
    swings++
  }
  return swings
}
