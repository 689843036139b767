import { type PodGroup, type PodResources, podsWithin } from './pods.ts'

/** A node with the pods that were placed on it. */
export interface PackedNode {
  readonly placed: { readonly group: PodGroup; readonly count: number }[]
  /** Remaining capacity. */
  cores: number
  gib: number
  pods: number
}

export const emptyNode = (capacity: PodResources): PackedNode => ({ ...capacity, placed: [] })

/**
 * First fit: each pod is placed on the first node that has capacity for it, in the given order of pods and nodes. If none
 * has, `open` provides another node. With the largest pods first, it needs at most a few nodes more than the best
 * packing. Returns whether all pods have a node. Yields from time to time, so that a caller can do other work.
 */
export function* packPods(
  groups: readonly PodGroup[],
  nodes: PackedNode[],
  open: () => PackedNode | undefined,
): Generator<undefined, boolean> {
  const least = (of: (group: PodGroup) => number): number =>
    groups.reduce((found, group) => Math.min(found, of(group)), Number.POSITIVE_INFINITY)
  const smallest = { cores: least(({ cores }) => cores), gib: least(({ gib }) => gib) }
  let first = 0
  for (const [step, group] of groups.entries()) {
    if (step % groupsPerStep === 0) yield
    // The first nodes are soon too full for any pod and are skipped.
    while (first < nodes.length && podsWithin(nodes[first]!, smallest) === 0) first++
    let left = group.count
    for (let index = first; index < nodes.length && left > 0; index++)
      left -= place(nodes[index]!, group, left)
    while (left > 0) {
      const node = open()
      const placed = node === undefined ? 0 : place(node, group, left)
      if (placed === 0) return false
      nodes.push(node!)
      left -= placed
    }
  }
  return true
}

const groupsPerStep = 16

/** Whether one more pod of any group would fit, for example if it is moved or its workload grows. */
export function holdsOneMore(groups: readonly PodGroup[], nodes: readonly PackedNode[]): boolean {
  // A node that has capacity for one pod usually has capacity for the others, so it is tried first.
  let roomy = nodes.at(-1)
  return groups.every((group) => {
    if (roomy === undefined || podsWithin(roomy, group) === 0)
      roomy = nodes.findLast((node) => podsWithin(node, group) > 0)
    return roomy !== undefined
  })
}

/** Places as many pods as fit. Returns how many. */
function place(node: PackedNode, group: PodGroup, most: number): number {
  const count = Math.min(most, podsWithin(node, group))
  if (count === 0) return 0
  node.placed.push({ group, count })
  node.cores = Math.max(0, node.cores - count * group.cores)
  node.gib = Math.max(0, node.gib - count * group.gib)
  node.pods -= count
  return count
}
