import { balancePods } from './balance-pods.ts'
import { allocatableOn, type NodePool, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { hasHeadroom, isSkewed, packPools, withSurge } from './pack.ts'
import { type PodGroup, tolerance } from './pods.ts'

/**
 * Returns the nodes that must stay, or undefined if not even all nodes hold the pods within the rules. Nodes of the
 * types that cost most per core are removed first. Yields from time to time, as packPods does.
 */
export function* fewerNodes<Pool extends NodePool>(
  groups: readonly PodGroup[],
  current: readonly Pool[],
  rules: PoolRules,
): Generator<undefined, readonly Pool[] | undefined> {
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

/** Whether these nodes hold the pods within the rules. */
export function* holdsPods(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): Generator<undefined, boolean> {
  if (isSkewed(groups))
    return (
      hasHeadroom(groups, pools, rules) && 'nodes' in (yield* balancePods(withSurge(groups), pools, rules))
    )
  return (yield* packPools(groups, pools, rules)) !== undefined
}

const usdPerCore = ({ type }: NodePool, rules: PoolRules): number =>
  type.perMonthUsd / Math.max(tolerance, allocatableOn(type, rules).cores)
