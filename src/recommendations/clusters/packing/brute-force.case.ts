import type { NodePool, NodeType, PoolRules } from './node-type.ts'
import { poolsPerMonthUsd } from './node-type.ts'
import { emptyNodes, hasHeadroom, holdsOneMore, type PackedNode, placeOn } from './pack.ts'
import type { PodGroup } from './pods.ts'

/** The slow twin of mixPools: the least cost of up to `maxNodes` nodes for which some assignment of pods satisfies the rules. */
export function leastUsd(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  maxNodes: number,
): number | undefined {
  const pods = groups.flatMap((group) => Array.from({ length: group.count }, () => group))
  let best: number | undefined
  const visit = (index: number, pools: readonly NodePool[], left: number): void => {
    const used = pools.filter(({ count }) => count > 0)
    if (index === types.length) {
      const usd = poolsPerMonthUsd(used)
      if (used.length > rules.maxPools || (best !== undefined && usd >= best)) return
      if (hasHeadroom(groups, used, rules) && canHold(pods, groups, emptyNodes(used, rules).flat()))
        best = usd
      return
    }
    for (let count = 0; count <= left; count++)
      visit(index + 1, [...pools, { type: types[index]!, count }], left - count)
  }
  visit(0, [], maxNodes)
  return best
}

/** Whether some assignment of pods to these nodes satisfies the rules. */
export function canHold(
  pods: readonly PodGroup[],
  groups: readonly PodGroup[],
  nodes: readonly PackedNode[],
): boolean {
  const [pod, ...rest] = pods
  if (pod === undefined) return holdsOneMore(groups, nodes)
  const tried = new Set<string>()
  return nodes.some((node, index) => {
    const onNode = node.placed.filter(({ group }) => group === pod).length
    const shape = JSON.stringify([node.type.name, node.cores, node.gib, node.pods, onNode])
    if (tried.has(shape) || onNode >= (pod.perNode ?? Number.POSITIVE_INFINITY)) return false
    tried.add(shape)
    const after = { ...node, placed: [...node.placed] }
    return placeOn(after, pod, 1) === 1 && canHold(rest, groups, nodes.with(index, after))
  })
}
