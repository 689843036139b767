import { allocatableOn, type NodePool, type PoolRules } from './node-type.ts'
import { emptyNodes, type PackedNode, placeOn } from './pack.ts'
import { largestFirst, type PodGroup, tolerance } from './pods.ts'

/** A packing, or what has no node: the sums of its shares of all cores and memory. */
type Balanced = { readonly nodes: PackedNode[] } | { readonly leftShare: number }

/**
 * Places all pods on a given number of nodes, largest first, each where it adds least to the sum of squares of the shares in
 * use: where its larger resource is used least. So all nodes fill up evenly in both resources. Yields from time to time.
 */
export function* balancePods(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): Generator<undefined, Balanced> {
  const nodes = emptyNodes(pools, rules).flat()
  const free = new FreeNodes(pools, rules)
  const counts: { readonly group: PodGroup; readonly on: Map<number, number> }[] = []
  // Pods of a workload may have several sizes.
  const byName = new Map<string, Map<number, number>>()
  let [left, scanned] = [0, 0]
  for (const group of largestFirst(groups, { ...free.total, pods: 0 })) {
    const on = new Map<number, number>()
    const onByName = byName.getOrInsertComputed(group.name, () => new Map())
    const barred = new Set([...(group.apart ?? [])].flatMap((name) => [...(byName.get(name)?.keys() ?? [])]))
    for (let pod = 0; pod < group.count; pod++) {
      const index = free.bestFor(group, onByName, barred)
      scanned += nodes.length
      if (index < 0) {
        const part =
          (group.count - pod) * Math.max(group.cores / free.total.cores, group.gib / free.total.gib)
        left += part
        break
      }
      on.set(index, (on.get(index) ?? 0) + 1)
      onByName.set(index, (onByName.get(index) ?? 0) + 1)
    }
    if (left > hopelessShare) return { leftShare: left }
    counts.push({ group, on })
    if (scanned > scansPerStep) {
      scanned = 0
      yield
    }
  }
  if (left > 0) return { leftShare: left }
  for (const { group, on } of counts) for (const [index, count] of on) placeOn(nodes[index]!, group, count)
  return { nodes }
}

const scansPerStep = 300_000
/** No other numbers of these types that cost nearly the same would hold the rest. */
const hopelessShare = 0.02

class FreeNodes {
  readonly total = { cores: 0, gib: 0 }
  readonly #cores: Float64Array
  readonly #gib: Float64Array
  readonly #freeCores: Float64Array
  readonly #freeGib: Float64Array
  readonly #freePods: Int32Array
  readonly #freeGpus: Int32Array

  constructor(pools: readonly NodePool[], rules: PoolRules) {
    const length = pools.reduce((sum, { count }) => sum + count, 0)
    this.#cores = new Float64Array(length)
    this.#gib = new Float64Array(length)
    this.#freePods = new Int32Array(length)
    this.#freeGpus = new Int32Array(length)
    let from = 0
    for (const { type, count } of pools) {
      const { cores, gib, pods, gpus = 0 } = allocatableOn(type, rules)
      this.#cores.fill(cores, from, from + count)
      this.#gib.fill(gib, from, from + count)
      this.#freePods.fill(pods, from, from + count)
      this.#freeGpus.fill(gpus, from, from + count)
      this.total.cores += count * cores
      this.total.gib += count * gib
      from += count
    }
    this.#freeCores = this.#cores.slice()
    this.#freeGib = this.#gib.slice()
  }

  /** Takes the place of a pod on the best node and returns its index; -1 if no node has capacity. */
  bestFor(
    { cores, gib, gpus = 0, perNode, hostSkew }: PodGroup,
    on: ReadonlyMap<number, number>,
    barred: ReadonlySet<number>,
  ): number {
    const [allCores, allGib, freeCores, freeGib] = [this.#cores, this.#gib, this.#freeCores, this.#freeGib]
    // As the scheduler does: no node gets more than the one that has fewest, and the skew.
    const fewest = on.size < allCores.length ? 0 : Math.min(...on.values())
    const most = Math.min(
      perNode ?? Number.POSITIVE_INFINITY,
      fewest + (hostSkew ?? Number.POSITIVE_INFINITY),
    )
    const [coreWeight, gibWeight] = [cores / this.total.cores, gib / this.total.gib]
    let [best, least] = [-1, Number.POSITIVE_INFINITY]
    for (let index = 0; index < allCores.length; index++) {
      if (freeCores[index]! + tolerance < cores || freeGib[index]! + tolerance < gib) continue
      const [ofCores, ofGib] = [allCores[index]!, allGib[index]!]
      const added =
        (coreWeight * (2 * (ofCores - freeCores[index]!) + cores)) / ofCores +
        (gibWeight * (2 * (ofGib - freeGib[index]!) + gib)) / ofGib
      if (added >= least || this.#freePods[index] === 0 || this.#freeGpus[index]! < gpus) continue
      if ((on.get(index) ?? 0) >= most || (barred.size > 0 && barred.has(index))) continue
      ;[best, least] = [index, added]
    }
    if (best < 0) return -1
    freeCores[best] = Math.max(0, freeCores[best]! - cores)
    freeGib[best] = Math.max(0, freeGib[best]! - gib)
    this.#freePods[best]!--
    this.#freeGpus[best]! -= gpus
    return best
  }
}
