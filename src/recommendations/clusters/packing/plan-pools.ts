import { addResources, noResources, type PodsOnNodes, type ResourceSum } from './cluster-pods.ts'
import { fewerNodes, holdsPods } from './fewer-nodes.ts'
import { lowerBoundUsd } from './lower-bound.ts'
import { mixPools, podsWithoutNode } from './mix-pools.ts'
import { type NodePool, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { type PodGroup, sumOfPods } from './pods.ts'

/** Possible changes of a group of nodes that can take each other's pods. */
export interface PoolPlan<Pool extends NodePool> {
  readonly current: readonly Pool[]
  readonly fewer: readonly Pool[]
  /** The cheapest pools found, of any type, if they cost less than `fewer`; otherwise the same as `fewer`. */
  readonly resize: readonly Pool[]
  readonly lowerBoundUsd: number
  readonly unplaced: readonly PodGroup[]
  /** Whether not all numbers of nodes were tried that could cost less. */
  readonly isCut: boolean
  /** Whether the current nodes hold the pods within the rules. */
  readonly hasRoom: boolean
}

/** The rules without what runs on every node. */
export type PoolLimits = Omit<PoolRules, 'everywhere'>

/** A plan that keeps the pools as they are. */
export const keepPools = <Pool extends NodePool>(current: readonly Pool[]): PoolPlan<Pool> => ({
  current,
  fewer: current,
  resize: current,
  lowerBoundUsd: poolsPerMonthUsd(current),
  unplaced: [],
  isCut: false,
  hasRoom: true,
})

/** Candidates are pools without nodes. Yields from time to time, as packPods does. */
export function* planPools<Pool extends NodePool>(
  { groups, everywhere }: PodsOnNodes,
  current: readonly Pool[],
  candidates: readonly Pool[],
  limits: PoolLimits,
): Generator<undefined, PoolPlan<Pool>> {
  const rules = { ...limits, everywhere }
  const all = [...current, ...candidates].map(({ type }) => type)
  const unplaced = podsWithoutNode(groups, all, rules)
  const kept = yield* fewerNodes(groups, current, rules)
  const fewer = kept ?? current
  // A plan of other types may keep some of the current ones.
  const pools = candidates.length === 0 ? [] : [...candidates, ...current]
  const best =
    unplaced.length > 0
      ? undefined
      : yield* mixPools(
          groups,
          pools.map(({ type }) => type),
          rules,
        )
  const mixed = best?.pools.map(({ type, count }) => ({
    ...pools.find((pool) => pool.type === type)!,
    count,
  }))
  const isCheaper = mixed !== undefined && poolsPerMonthUsd(mixed) < poolsPerMonthUsd(fewer)
  return {
    current,
    fewer,
    resize: isCheaper ? mixed : fewer,
    isCut: best?.isCut ?? false,
    lowerBoundUsd: Math.min(poolsPerMonthUsd(current), lowerBoundUsd(groups, all, rules)),
    unplaced,
    hasRoom: kept !== undefined,
  }
}

type PoolEffort = 'fewer' | 'resize'

/** A plan with the pods for which it was made. */
export interface PlannedPools<Pool extends NodePool> extends PoolPlan<Pool> {
  /** Pods with the recommended sizes, and with their current requests; undefined if the pods do not move. */
  readonly pods: { readonly recommended: PodsOnNodes; readonly current: PodsOnNodes } | undefined
  readonly limits: PoolLimits
}

export interface PoolOption<Pool extends NodePool, Effort extends PoolEffort = PoolEffort> {
  readonly effort: Effort
  readonly pools: readonly Pool[]
  readonly perMonthUsd: number
  readonly savingsUsd: number
  /** Whether the pods fit only with their recommended sizes. */
  readonly needsSizes: boolean
  /** Shares of all cores and of all memory that the pods request with the recommended sizes. */
  readonly requested: ResourceSum
}

/**
 * Returns the result of each effort for all plans together. An effort is left out unless it costs less than
 * `maxWorthwhilePriceRatio` times an easier one.
 */
export function* poolOptions<Pool extends NodePool, Effort extends PoolEffort>(
  plans: readonly PlannedPools<Pool>[],
  efforts: readonly Effort[],
  currentUsd: number,
  maxWorthwhilePriceRatio: number,
): Generator<undefined, PoolOption<Pool, Effort>[]> {
  const options: PoolOption<Pool, Effort>[] = []
  let easiestUsd = currentUsd
  for (const effort of efforts) {
    const pools = plans.flatMap((plan) => plan[effort])
    const perMonthUsd = poolsPerMonthUsd(pools)
    if (perMonthUsd >= maxWorthwhilePriceRatio * easiestUsd) continue
    options.push({
      effort,
      pools,
      perMonthUsd,
      savingsUsd: currentUsd - perMonthUsd,
      needsSizes: !(yield* holdCurrentSizes(plans, effort)),
      requested: requestedShares(plans, effort),
    })
    easiestUsd = perMonthUsd
  }
  return options
}

function* holdCurrentSizes<Pool extends NodePool>(
  plans: readonly PlannedPools<Pool>[],
  effort: PoolEffort,
): Generator<undefined, boolean> {
  for (const { pods, limits, [effort]: pools } of plans) {
    if (pods === undefined) continue
    const { groups, everywhere } = pods.current
    if (!(yield* holdsPods(groups, pools, { ...limits, everywhere }))) return false
  }
  return true
}

function requestedShares<Pool extends NodePool>(
  plans: readonly PlannedPools<Pool>[],
  effort: PoolEffort,
): ResourceSum {
  const [requested, all] = [noResources(), noResources()]
  for (const { pods, [effort]: pools } of plans) {
    if (pods === undefined) continue
    const { groups, everywhere } = pods.recommended
    addResources(requested, sumOfPods(groups))
    for (const { type, count } of pools) {
      addResources(requested, everywhere, count)
      addResources(all, type, count)
    }
  }
  return { cores: requested.cores / all.cores, gib: requested.gib / all.gib }
}
