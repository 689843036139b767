import { allocatableOn, type NodePool, type NodeType, type PoolRules } from './node-type.ts'
import { largestFirst, type PodGroup, podsWithin, sumOfPods, tolerance } from './pods.ts'

/** A node with the pods that were placed on it. */
export interface PackedNode {
  readonly type: NodeType
  readonly placed: { readonly group: PodGroup; count: number }[]
  /** Remaining capacity. */
  cores: number
  gib: number
  gpus: number
  pods: number
}

export const emptyNode = (type: NodeType, rules: PoolRules): PackedNode => ({
  gpus: 0,
  ...allocatableOn(type, rules),
  type,
  placed: [],
})

export const emptyNodes = (pools: readonly NodePool[], rules: PoolRules): PackedNode[][] =>
  pools.map(({ type, count }) => Array.from({ length: count }, () => emptyNode(type, rules)))

/**
 * Places all pods on these pools, largest first. A group goes to the pool of whose free cores and memory it takes the
 * smallest share, so that neither runs out before the other, and there to the first node with capacity. Returns the pods
 * that have no node. Yields from time to time, so that a caller can do other work.
 */
export function* packPods(
  groups: readonly PodGroup[],
  pools: readonly (readonly PackedNode[])[],
): Generator<undefined, PodGroup[]> {
  const free = pools.map((nodes) => new FreePool(nodes))
  const all = free.reduce(
    (sum, pool) => ({ cores: sum.cores + pool.cores, gib: sum.gib + pool.gib, pods: 0 }),
    {
      cores: 0,
      gib: 0,
      pods: 0,
    },
  )
  const left: PodGroup[] = []
  for (const [step, group] of largestFirst(groups, all).entries()) {
    if (step % groupsPerStep === 0) yield
    const order = free.length < 2 ? free : free.toSorted((a, b) => a.shareOf(group) - b.shareOf(group))
    let { count } = group
    for (const pool of order) if (count > 0) count -= pool.place(group, count)
    if (count > 0) left.push({ ...group, count })
  }
  return left
}

const groupsPerStep = 16

/** A pool with the most that is free on any node of a block, so that full nodes are passed quickly. */
class FreePool {
  readonly #nodes: readonly PackedNode[]
  readonly #freeCores: Float64Array
  readonly #freeGib: Float64Array
  cores = 0
  gib = 0
  pods = 0

  constructor(nodes: readonly PackedNode[]) {
    this.#nodes = nodes
    const blocks = Math.ceil(nodes.length / blockNodes)
    this.#freeCores = new Float64Array(blocks)
    this.#freeGib = new Float64Array(blocks)
    for (let block = 0; block < blocks; block++) this.#update(block)
    for (const node of nodes) {
      this.cores += node.cores
      this.gib += node.gib
      this.pods += node.pods
    }
  }

  shareOf({ cores, gib }: PodGroup): number {
    return Math.max(
      cores / Math.max(this.cores, tolerance),
      gib / Math.max(this.gib, tolerance),
      1 / Math.max(this.pods, tolerance),
    )
  }

  place(group: PodGroup, most: number): number {
    const nodes = this.#nodes
    let left = most
    for (let block = 0; block < this.#freeCores.length && left > 0; block++) {
      if (group.cores > this.#freeCores[block]! + tolerance || group.gib > this.#freeGib[block]! + tolerance)
        continue
      const before = left
      const end = Math.min(nodes.length, (block + 1) * blockNodes)
      for (let index = block * blockNodes; index < end && left > 0; index++)
        left -= placeOn(nodes[index]!, group, left)
      if (left < before) this.#update(block)
    }
    this.cores -= (most - left) * group.cores
    this.gib -= (most - left) * group.gib
    this.pods -= most - left
    return most - left
  }

  #update(block: number): void {
    let [cores, gib] = [-1, -1]
    const end = Math.min(this.#nodes.length, (block + 1) * blockNodes)
    for (let index = block * blockNodes; index < end; index++) {
      const node = this.#nodes[index]!
      if (node.pods === 0) continue
      cores = Math.max(cores, node.cores)
      gib = Math.max(gib, node.gib)
    }
    this.#freeCores[block] = cores
    this.#freeGib[block] = gib
  }
}

const blockNodes = 16

/** Places as many pods as fit. Returns how many. */
export function placeOn(node: PackedNode, group: PodGroup, most: number): number {
  if (group.apart !== undefined && node.placed.some(({ group: { name } }) => group.apart!.has(name))) return 0
  let count = Math.min(most, podsWithin(node, group))
  if (count > 0 && group.perNode !== undefined) count = Math.min(count, group.perNode - countOn(node, group))
  if (count <= 0) return 0
  node.placed.push({ group, count })
  node.cores = Math.max(0, node.cores - count * group.cores)
  node.gib = Math.max(0, node.gib - count * group.gib)
  node.gpus -= count * (group.gpus ?? 0)
  node.pods -= count
  return count
}

/** Pods of a workload may have several sizes. */
const countOn = ({ placed }: PackedNode, { name }: PodGroup): number =>
  placed.reduce((sum, { group, count }) => (group.name === name ? sum + count : sum), 0)

/** Returns the nodes of the pools with all pods, within the rules; undefined if they do not hold them. */
export function* packPools(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): Generator<undefined, PackedNode[] | undefined> {
  if (!hasHeadroom(groups, pools, rules) || isSkewed(groups)) return undefined
  const nodes = emptyNodes(pools, rules)
  const left = yield* packPods(withSurge(groups), nodes)
  return left.length === 0 ? withoutSurge(nodes.flat()) : undefined
}

/** First fit does not spread pods evenly. */
export const isSkewed = (groups: readonly PodGroup[]): boolean =>
  groups.some(({ hostSkew }) => hostSkew !== undefined)

/** The name of a pod for which a place stays free; no workload has it. */
const surgeName = ''

/** Adds a pod like those of the largest group that surges, so that a roll-out can start. */
export function withSurge(groups: readonly PodGroup[]): readonly PodGroup[] {
  const [largest] = largestFirst(
    groups.filter(({ surges }) => surges !== false),
    sumOfPods(groups),
  )
  return largest === undefined ? groups : [...groups, { ...onePodOf(largest), name: surgeName }]
}

const onePodOf = ({ cores, gib, gpus = 0 }: PodGroup) => ({ cores, gib, gpus, count: 1 })

/** Frees the place of the pod that withSurge() added. */
export function withoutSurge(nodes: PackedNode[]): PackedNode[] {
  return nodes.map((node) => {
    const at = node.placed.findIndex(({ group }) => group.name === surgeName)
    if (at < 0) return node
    const { cores, gib, gpus = 0 } = node.placed[at]!.group
    return {
      ...node,
      placed: node.placed.toSpliced(at, 1),
      cores: node.cores + cores,
      gib: node.gib + gib,
      gpus: node.gpus + gpus,
      pods: node.pods + 1,
    }
  })
}

/** Whether there are enough nodes, and enough remains free of all of them together. */
export function hasHeadroom(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): boolean {
  const need = sumOfPods(groups)
  let [cores, gib, count] = [0, 0, 0]
  for (const { type, count: of } of pools) {
    const capacity = allocatableOn(type, rules)
    cores += of * capacity.cores
    gib += of * capacity.gib
    count += of
  }
  const usable = 1 - rules.headroom
  return (
    count >= rules.minNodes &&
    need.cores <= cores * usable + tolerance &&
    need.gib <= gib * usable + tolerance
  )
}

/** Whether one more pod of the largest group that surges would fit. */
export function holdsOneMore(groups: readonly PodGroup[], nodes: readonly PackedNode[]): boolean {
  const surge = withSurge(groups).at(-1)
  return surge?.name !== surgeName || nodes.some((node) => podsWithin(node, surge) > 0)
}
