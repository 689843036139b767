import { type PodGroup, type PodRoom, podsWithin } from './pods.ts'

/** A node with what was put on it. */
export interface PackedNode {
  readonly placed: { readonly group: PodGroup; readonly count: number }[]
  /** What is left. */
  cores: number
  gib: number
  pods: number
}

export const emptyNode = (room: PodRoom): PackedNode => ({ ...room, placed: [] })

/**
 * First fit: each pod goes on the first node that has room for it, in the given order of pods and nodes, and where none has,
 * `open` gives a further node. Largest pods first needs at most a few nodes more than the best packing does. Returns
 * whether all pods have a node. Yields now and then, so that a caller can do other work.
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
    // The first nodes are soon too full for any pod.
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

/** Whether any one of the pods would find room once more, as when it is moved or its workload grows. */
export function holdsOneMore(groups: readonly PodGroup[], nodes: readonly PackedNode[]): boolean {
  // A node that has room for one pod has it for most.
  let roomy = nodes.at(-1)
  return groups.every((group) => {
    if (roomy === undefined || podsWithin(roomy, group) === 0)
      roomy = nodes.findLast((node) => podsWithin(node, group) > 0)
    return roomy !== undefined
  })
}

/** As many as fit; returns how many. */
function place(node: PackedNode, group: PodGroup, most: number): number {
  const count = Math.min(most, podsWithin(node, group))
  if (count === 0) return 0
  node.placed.push({ group, count })
  node.cores = Math.max(0, node.cores - count * group.cores)
  node.gib = Math.max(0, node.gib - count * group.gib)
  node.pods -= count
  return count
}
