import type { NodePool, PoolRules } from './node-type.ts'
import { emptyNodes, hasHeadroom, isSkewed, packPods, placeOn, withoutSurge, withSurge } from './pack.ts'
import { largestFirst, type PodGroup, podsWithin, sumOfPods } from './pods.ts'
import { faultOf } from './verify.ts'

/** Nodes that stay, and the pods that stay on them. */
export interface StayingNodes {
  readonly pools: readonly NodePool[]
  readonly groups: readonly PodGroup[]
  readonly rules: PoolRules
}

/** Returns what is left of pods once the free room of nodes that stay is used, largest first. */
export function* afterFreeRoom(
  groups: readonly PodGroup[],
  { pools, groups: own, rules }: StayingNodes,
): Generator<undefined, readonly PodGroup[]> {
  if (!hasHeadroom(own, pools, rules) || isSkewed(own)) return groups
  const byPool = emptyNodes(pools, rules)
  const spare = { cores: 0, gib: 0, pods: Number.POSITIVE_INFINITY, gpus: Number.POSITIVE_INFINITY }
  for (const node of byPool.flat()) {
    spare.cores += (1 - rules.headroom) * node.cores
    spare.gib += (1 - rules.headroom) * node.gib
  }
  const need = sumOfPods(own)
  spare.cores -= need.cores
  spare.gib -= need.gib
  if ((yield* packPods(withSurge(own), byPool)).length > 0) return groups
  const used = [...own]
  const left: PodGroup[] = []
  for (const group of largestFirst(groups, sumOfPods(groups))) {
    yield
    const { name, zone, hostSkew, apart, isSpreadOverZones, perNode = group.count } = group
    // Rules about other pods count among nodes that are planned together.
    const isBound = zone !== undefined || hostSkew !== undefined || apart !== undefined || isSpreadOverZones
    const moved = { ...group, surges: false }
    let count = 0
    for (const node of isBound ? [] : byPool.flat()) {
      const known = node.placed.reduce((sum, of) => sum + (of.group.name === name ? of.count : 0), 0)
      const most = Math.min(group.count - count, perNode - known, podsWithin(spare, group))
      const placed = most > 0 ? placeOn(node, moved, most) : 0
      spare.cores -= placed * group.cores
      spare.gib -= placed * group.gib
      count += placed
    }
    if (count > 0) used.push({ ...moved, count })
    if (count < group.count) left.push({ ...group, count: group.count - count })
  }
  const fault = faultOf(used, pools, withoutSurge(byPool.flat()), { ...rules, minNodes: 0 })
  if (fault !== undefined) throw new Error(`A plan of nodes is wrong: ${fault}.`)
  return left
}
