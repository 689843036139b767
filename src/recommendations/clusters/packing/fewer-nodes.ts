import { balancePods } from './balance-pods.ts'
import { allocatableOn, type NodePool, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { hasHeadroom, isSkewed, type PackedNode, packPools, withoutSurge, withSurge } from './pack.ts'
import { type PodGroup, tolerance } from './pods.ts'
import { faultOf } from './verify.ts'

/**
 * Returns the nodes that must stay, with all pods, or undefined if not even all nodes hold the pods within the rules. Nodes of the
 * types that cost most per core are removed first. Yields from time to time, as packPods does.
 */
export function* fewerNodes<Pool extends NodePool>(
  groups: readonly PodGroup[],
  current: readonly Pool[],
  rules: PoolRules,
): Generator<undefined, { readonly pools: readonly Pool[]; readonly nodes: PackedNode[] } | undefined> {
  let placed = yield* placeOnPools(groups, current, rules)
  if (placed === undefined) return undefined
  const pools = current.toSorted((a, b) => usdPerCore(b, rules) - usdPerCore(a, rules))
  for (let index = 0; index < pools.length; index++) {
    const pool = pools[index]!
    let [least, most] = [0, pool.count]
    while (least < most) {
      const count = Math.floor((least + most) / 2)
      const tried = yield* placeOnPools(groups, pools.with(index, { ...pool, count }), rules)
      if (tried === undefined) least = count + 1
      else [most, placed] = [count, tried]
    }
    pools[index] = { ...pool, count: most }
  }
  const kept = pools.filter(({ count }) => count > 0)
  const fault = faultOf(groups, kept, placed, rules)
  if (fault !== undefined) throw new Error(`A plan of nodes is wrong: ${fault}.`)
  return { pools: poolsPerMonthUsd(kept) < poolsPerMonthUsd(current) ? kept : current, nodes: placed }
}

/** Returns the nodes with all pods, within the rules; undefined if they do not hold them. */
export function* placeOnPools(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): Generator<undefined, PackedNode[] | undefined> {
  if (!hasHeadroom(groups, pools, rules)) return undefined
  const packed = isSkewed(groups) ? undefined : yield* packPools(groups, pools, rules)
  if (packed !== undefined) return packed
  const balanced = yield* balancePods(withSurge(groups), pools, rules)
  return 'nodes' in balanced ? withoutSurge(balanced.nodes) : undefined
}

const usdPerCore = ({ type }: NodePool, rules: PoolRules): number =>
  type.perMonthUsd / Math.max(tolerance, allocatableOn(type, rules).cores)
