import { similarPriceRatio } from '../../../domain/recommendation.ts'
import { balancePods } from './balance-pods.ts'
import { type CountedPools, countPools } from './count-pools.ts'
import { fillNodes } from './fill-nodes.ts'
import { resourcePrices, worthOf } from './lower-bound.ts'
import {
  allocatableOn,
  fewestNodes,
  type NodePool,
  type NodeType,
  type PoolRules,
  poolsPerMonthUsd,
  withoutDominated,
} from './node-type.ts'
import {
  emptyNode,
  hasHeadroom,
  isSkewed,
  type PackedNode,
  packPools,
  withoutSurge,
  withSurge,
} from './pack.ts'
import { type PodGroup, podsWithin, sumOfPods } from './pods.ts'
import { faultOf } from './verify.ts'

/** Pools with the assignment of every pod. */
export interface PackedPools {
  readonly pools: readonly NodePool[]
  readonly nodes: readonly PackedNode[]
  /** Whether the work ended before all numbers of nodes that could cost less were tried. */
  readonly isCut: boolean
}

/** How often a node is looked at for a pod. More work never gives a dearer result. */
export const defaultWork = 60_000_000

/**
 * Finds cheap pools of up to `maxPools` types that hold all pods, or undefined if there are none. First nodes are filled one
 * after the other, which gives a result that holds. Then numbers of nodes that are enough for the sums are tried, cheapest
 * first, until one holds every pod. Yields from time to time.
 */
export function* mixPools(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  given: PoolRules,
  work = defaultWork,
): Generator<undefined, PackedPools | undefined> {
  const rules = { ...given, minNodes: fewestNodes(groups, given) }
  const usable = withoutDominated(types, rules)
  if (usable.length === 0) return undefined
  // With thousands of workloads filling takes long, and numbers alone nearly always hold. It does not spread pods evenly.
  const isLarge = groups.length > maxFilled
  const isSpread = isSkewed(groups)
  const fill = (atFirst: number) => fillBest(groups, usable, rules, atFirst)
  const filled = isLarge || isSpread ? undefined : yield* fill(mostTypes)
  const belowUsd = filled === undefined ? Number.POSITIVE_INFINITY : poolsPerMonthUsd(filled.pools)
  const counted = yield* countPools(groups, usable, rules, belowUsd)
  const tried = yield* firstThatHolds(groups, counted, rules, work)
  const best = tried.packed ?? filled ?? (isLarge && !isSpread ? yield* fill(1) : undefined)
  if (best === undefined) return undefined
  const faster = withFasterTypes(best, types, rules)
  const fault = faultOf(groups, faster.pools, faster.nodes, rules)
  if (fault !== undefined) throw new Error(`A plan of nodes is wrong: ${fault}.`)
  return { ...faster, isCut: tried.isCut }
}

function* firstThatHolds(
  groups: readonly PodGroup[],
  counted: readonly CountedPools[],
  rules: PoolRules,
  work: number,
): Generator<undefined, { readonly packed?: Omit<PackedPools, 'isCut'>; readonly isCut: boolean }> {
  let done = 0
  // Types that left pods without a node need more nodes, in proportion to what was left.
  const skipBelowUsd = new Map<string, number>()
  const { pods } = sumOfPods(groups)
  const all = withSurge(groups)
  for (const { pools, usd, key } of counted) {
    if (usd < (skipBelowUsd.get(key) ?? 0)) continue
    if (!hasHeadroom(groups, pools, rules)) continue
    const count = pools.reduce((sum, pool) => sum + pool.count, 0)
    done += pods * count + groups.length
    if (done > work) return { isCut: true }
    const balanced = yield* balancePods(all, pools, rules)
    if ('nodes' in balanced) return { packed: { pools, nodes: withoutSurge(balanced.nodes) }, isCut: false }
    // Few large pods are placed better one after the other.
    const firstFit = pods * count > maxFirstFit ? undefined : yield* packPools(groups, pools, rules)
    if (firstFit !== undefined) return { packed: { pools, nodes: firstFit }, isCut: false }
    skipBelowUsd.set(key, usd * (1 + skipShare * balanced.leftShare))
  }
  return { isCut: false }
}

const skipShare = 0.5
const maxFirstFit = 100_000
const mostTypes = 10
const maxFilled = 1200

/** Fills nodes of the types that cost least for the pods, then only of those that were used most. */
function* fillBest(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  typesAtFirst: number,
): Generator<undefined, Omit<PackedPools, 'isCut'> | undefined> {
  const prices = resourcePrices(groups, types, rules)
  const ratio = (type: NodeType): number => {
    const { cores, gib, pods, gpus = 0 } = allocatableOn(type, rules)
    return type.perMonthUsd / Math.max(1e-9, worthOf([cores, gib, pods, gpus], prices))
  }
  const sorted = types.toSorted((a, b) => ratio(a) - ratio(b) || (a.name < b.name ? -1 : 1))
  const chosen = new Set(sorted.slice(0, typesAtFirst))
  for (const group of groups) {
    const fits = (type: NodeType) => podsWithin(allocatableOn(type, rules), group) > 0
    if ([...chosen].some(fits)) continue
    const first = sorted.find(fits)
    if (first === undefined) return undefined
    chosen.add(first)
  }
  let best: Omit<PackedPools, 'isCut'> | undefined
  let among = [...chosen]
  for (;;) {
    const nodes = yield* fillNodes(withSurge(groups), among, rules, prices)
    if (nodes === undefined) return best
    const packed = completed(groups, withoutSurge(nodes), among, rules)
    const { pools } = packed
    const isFew = pools.length <= rules.maxPools
    if (isFew && (best === undefined || poolsPerMonthUsd(pools) < poolsPerMonthUsd(best.pools))) best = packed
    if (isFew) return best
    // The type that costs least in all is left out, unless some pod fits on no other.
    const kept = withoutLeastUsed(groups, pools, rules)
    if (kept === undefined) return best
    among = kept
  }
}

function withoutLeastUsed(
  groups: readonly PodGroup[],
  pools: readonly NodePool[],
  rules: PoolRules,
): NodeType[] | undefined {
  const byCost = pools.toSorted((a, b) => a.count * a.type.perMonthUsd - b.count * b.type.perMonthUsd)
  for (const least of byCost) {
    const rest = pools.filter((pool) => pool !== least).map(({ type }) => type)
    const isEnough = groups.every((group) =>
      rest.some((type) => podsWithin(allocatableOn(type, rules), group) > 0),
    )
    if (isEnough) return rest
  }
  return undefined
}

/** Adds nodes until there are enough of them, with headroom and capacity for one more pod. */
function completed(
  groups: readonly PodGroup[],
  packed: readonly PackedNode[],
  types: readonly NodeType[],
  rules: PoolRules,
): Omit<PackedPools, 'isCut'> {
  const nodes = [...packed]
  const used = new Set(nodes.map(({ type }) => type))
  const byPrice = types.filter((type) => used.has(type)).sort((a, b) => a.perMonthUsd - b.perMonthUsd)
  const pools = () =>
    [...Map.groupBy(nodes, ({ type }) => type)].map(([type, of]) => ({ type, count: of.length }))
  while (!hasHeadroom(groups, pools(), rules)) nodes.push(emptyNode(byPrice[0]!, rules))
  return { pools: pools(), nodes }
}

/** Replaces types by faster ones that hold as much, if the whole costs nearly the same. */
function withFasterTypes(
  packed: Omit<PackedPools, 'isCut'>,
  types: readonly NodeType[],
  rules: PoolRules,
): Omit<PackedPools, 'isCut'> {
  const maxUsd = similarPriceRatio * poolsPerMonthUsd(packed.pools)
  let { pools, nodes } = packed
  for (const { type, count } of packed.pools) {
    const from = allocatableOn(type, rules)
    const faster = types
      .filter((other) => {
        const to = allocatableOn(other, rules)
        return (
          speedOf(other) > speedOf(type) &&
          !pools.some((pool) => pool.type === other) &&
          to.cores >= from.cores &&
          to.gib >= from.gib &&
          to.pods >= from.pods &&
          (to.gpus ?? 0) >= (from.gpus ?? 0) &&
          poolsPerMonthUsd(pools) + count * (other.perMonthUsd - type.perMonthUsd) <= maxUsd
        )
      })
      .reduce<NodeType | undefined>(
        (best, each) => (best === undefined || speedOf(each) > speedOf(best) ? each : best),
        undefined,
      )
    if (faster === undefined) continue
    pools = pools.map((pool) => (pool.type === type ? { type: faster, count } : pool))
    nodes = nodes.map((node) => (node.type === type ? { ...node, type: faster } : node))
  }
  return { pools, nodes }
}

const speedOf = ({ speed = 1 }: NodeType): number => speed

/** Returns the pods that fit on a node of no type. */
export const podsWithoutNode = (
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): PodGroup[] => {
  const capacities = types.map((type) => allocatableOn(type, rules))
  return groups.filter((group) => !capacities.some((capacity) => podsWithin(capacity, group) > 0))
}
