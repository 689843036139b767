import type { NodePool, PoolRules } from './node-type.ts'
import { allocatableOn } from './node-type.ts'
import { holdsOneMore, type PackedNode } from './pack.ts'
import type { PodGroup } from './pods.ts'

/**
 * Checks a packing without the code that made it: each pod on exactly one node, no node over its capacity, its limit of pods
 * or that of a workload, no pods together that must be apart, an even spread where one is asked for, and the headroom. Returns the first fault; undefined if there is none.
 */
export function faultOf(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  nodes: readonly PackedNode[],
  rules: PoolRules,
): string | undefined {
  const counts = new Map<string, number>()
  const [free, all] = [
    { cores: 0, gib: 0 },
    { cores: 0, gib: 0 },
  ]
  for (const { type, placed } of nodes) {
    const capacity = allocatableOn(type, rules)
    const used = { cores: 0, gib: 0, gpus: 0, pods: 0 }
    const onNode = new Map<string, number>()
    for (const { group, count } of placed) {
      used.cores += count * group.cores
      used.gib += count * group.gib
      used.gpus += count * (group.gpus ?? 0)
      used.pods += count
      onNode.set(group.name, count + (onNode.get(group.name) ?? 0))
      counts.set(group.name, count + (counts.get(group.name) ?? 0))
      if (onNode.get(group.name)! > (group.perNode ?? count))
        return `too many pods of ${group.name} on a node`
    }
    for (const { group } of placed)
      for (const name of group.apart ?? [])
        if (onNode.has(name)) return `${group.name} with ${name} on a node`
    if (used.cores > capacity.cores + slack || used.gib > capacity.gib + slack) return 'a node is overfull'
    if (used.gpus > (capacity.gpus ?? 0) || used.pods > capacity.pods) return 'a node has too many pods'
    all.cores += capacity.cores
    all.gib += capacity.gib
    free.cores += capacity.cores - used.cores
    free.gib += capacity.gib - used.gib
  }
  for (const [name, count] of podsByName(groups))
    if (counts.get(name) !== count) return `${name} is not placed`
  const spreadFault = spreadFaultOf(groups, nodes)
  if (spreadFault !== undefined) return spreadFault
  for (const { type, count } of pools)
    if (nodes.filter((node) => node.type === type).length !== count) return `wrong number of ${type.name}`
  if (nodes.length < rules.minNodes) return 'too few nodes'
  const isShort = (name: 'cores' | 'gib') => free[name] < rules.headroom * all[name] - slack
  if (isShort('cores') || isShort('gib')) return 'no headroom'
  return holdsOneMore(groups, nodes) ? undefined : 'no room for a roll-out'
}

/** Checks groups that must be spread evenly over all nodes. */
export function spreadFaultOf(groups: readonly PodGroup[], nodes: readonly PackedNode[]): string | undefined {
  const skews = new Map(groups.flatMap(({ name, hostSkew }) => (hostSkew ? [[name, hostSkew]] : [])))
  if (skews.size === 0) return undefined
  const counts = new Map([...skews.keys()].map((name) => [name, new Float64Array(nodes.length)]))
  for (const [index, { placed }] of nodes.entries())
    for (const { group, count } of placed) {
      const onNode = counts.get(group.name)
      if (onNode !== undefined) onNode[index]! += count
    }
  for (const [name, onNode] of counts)
    if (skewOf(onNode) > skews.get(name)!) return `${name} is not spread evenly`
  return undefined
}

const skewOf = (counts: ArrayLike<number> & Iterable<number>): number =>
  Math.max(...counts) - Math.min(...counts)

/** Checks how pods are divided over zones: bound pods are in their zone, and spread ones differ by one pod at most. */
export function zoneFaultOf(
  groups: readonly PodGroup[],
  zones: readonly string[],
  inZones: readonly { readonly zone: string | undefined; readonly groups: readonly PodGroup[] }[],
): string | undefined {
  const counts = new Map(
    zones.map((zone) => {
      const own = inZones.filter((each) => each.zone === zone)
      return [zone, podsByName(own.flatMap((each) => each.groups))] as const
    }),
  )
  for (const { name, zone, count, isSpreadOverZones } of groups) {
    const of = (at: string) => counts.get(at)?.get(name) ?? 0
    if (zone !== undefined && of(zone) < count) return `${name} out of its zone`
    if (isSpreadOverZones && zone === undefined && skewOf(zones.map(of)) > 1)
      return `${name} in too few zones`
  }
  return undefined
}

/** Sums of thousands of pods may be rounded in another order. */
const slack = 1e-6

function podsByName(groups: readonly PodGroup[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, count } of groups) counts.set(name, count + (counts.get(name) ?? 0))
  return counts
}
