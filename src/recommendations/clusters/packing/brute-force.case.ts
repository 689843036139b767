import { minCount } from './cheapest-pool.ts'
import { allocatableOn, type NodeType, type PoolRules } from './node-type.ts'
import { emptyNode, holdsOneMore, type PackedNode } from './pack.ts'
import { type PodGroup, podsWithin, sumOfPods } from './pods.ts'

/** The slow twin of packPool: the smallest number of nodes for which some assignment of pods satisfies the rules. */
export function fewestNodes(
  groups: readonly PodGroup[],
  type: NodeType,
  rules: PoolRules,
): number | undefined {
  const pods = groups.flatMap((group) => Array.from({ length: group.count }, () => group))
  if (pods.some((pod) => podsWithin(allocatableOn(type, rules), pod) === 0)) return undefined
  const least = minCount(sumOfPods(groups), type, rules)
  if (!Number.isFinite(least)) return undefined
  for (let count = least; ; count++) {
    const capacities = Array.from({ length: count }, () => emptyNode(allocatableOn(type, rules)))
    if (canHold(pods, groups, capacities)) return count
  }
}

/** Whether some assignment of pods to these nodes leaves capacity for one more pod of any group. */
export function canHold(
  pods: readonly PodGroup[],
  groups: readonly PodGroup[],
  nodes: readonly PackedNode[],
): boolean {
  const [pod, ...rest] = pods
  if (pod === undefined) return holdsOneMore(groups, nodes)
  return nodes.some((node, index) => {
    if (podsWithin(node, pod) === 0) return false
    const { cores, gib, pods: count, placed } = node
    const after = { placed, cores: cores - pod.cores, gib: gib - pod.gib, pods: count - 1 }
    return canHold(rest, groups, nodes.with(index, after))
  })
}
