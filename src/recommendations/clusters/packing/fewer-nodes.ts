import { packPool } from './cheapest-pool.ts'
import { allocatableOn, type NodePool, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { emptyNode, holdsOneMore, packPods } from './pack.ts'
import { largestFirst, type PodGroup, sumOfPods, tolerance } from './pods.ts'

/**
 * Returns the nodes that must stay, or undefined if not even all nodes hold the pods within the rules. Nodes of the
 * types that cost most per core are removed first. Yields from time to time, as packPods does.
 */
export function* fewerNodes<Pool extends NodePool>(
  groups: readonly PodGroup[],
  current: readonly Pool[],
  rules: PoolRules,
): Generator<undefined, readonly Pool[] | undefined> {
  const [only, ...others] = current
  if (only !== undefined && others.length === 0) {
    const packed = yield* packPool(groups, only.type, rules)
    if (packed === undefined || packed.count > only.count) return undefined
    return [{ ...only, count: packed.count }]
  }
  if (!(yield* holdsPods(groups, current, rules))) return undefined
  const pools = current.toSorted((a, b) => usdPerCore(b, rules) - usdPerCore(a, rules))
  for (let index = 0; index < pools.length; index++) {
    const pool = pools[index]!
    let [least, most] = [0, pool.count]
    while (least < most) {
      const count = Math.floor((least + most) / 2)
      if (yield* holdsPods(groups, pools.with(index, { ...pool, count }), rules)) most = count
      else least = count + 1
    }
    pools[index] = { ...pool, count: most }
  }
  const kept = pools.filter(({ count }) => count > 0)
  return poolsPerMonthUsd(kept) < poolsPerMonthUsd(current) ? kept : current
}

/** Whether these nodes hold the pods with headroom, and one more pod of any group. */
export function* holdsPods(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): Generator<undefined, boolean> {
  const count = pools.reduce((sum, pool) => sum + pool.count, 0)
  if (count < rules.minNodes) return false
  const all = { cores: 0, gib: 0, pods: 0 }
  // Small nodes are filled first, so that large ones stay free for large pods.
  const nodes = pools
    .map(({ type, count: of }) => ({ capacity: allocatableOn(type, rules), of }))
    .sort((a, b) => a.capacity.cores - b.capacity.cores || a.capacity.gib - b.capacity.gib)
    .flatMap(({ capacity, of }) => {
      all.cores += of * capacity.cores
      all.gib += of * capacity.gib
      return Array.from({ length: of }, () => emptyNode(capacity))
    })
  const need = sumOfPods(groups)
  const usable = 1 - rules.headroom
  if (need.cores > all.cores * usable + tolerance || need.gib > all.gib * usable + tolerance) return false
  const isPacked = yield* packPods(largestFirst(groups, all), nodes, () => undefined)
  return isPacked && holdsOneMore(groups, nodes)
}

const usdPerCore = ({ type }: NodePool, rules: PoolRules): number =>
  type.perMonthUsd / Math.max(tolerance, allocatableOn(type, rules).cores)
