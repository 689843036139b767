import { similarPriceRatio } from '../../../domain/recommendation.ts'
import { allocatableOn, type NodePool, type NodeType, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { emptyNode, holdsOneMore, type PackedNode, packPods } from './pack.ts'
import { largestFirst, type PodGroup, type PodResources, podsWithin, sumOfPods, tolerance } from './pods.ts'

/** The largest cluster that Kubernetes is tested with: kubernetes.io/docs/setup/best-practices/cluster-large */
const maxNodes = 5000

/** A pool with the assignment of every pod. */
export interface PackedPool extends NodePool {
  readonly nodes: readonly PackedNode[]
}

/** Returns the pods that fit on a node of no type. */
export const podsWithoutNode = (
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): PodGroup[] => {
  const capacities = types.map((type) => allocatableOn(type, rules))
  return groups.filter((group) => !capacities.some((capacity) => podsWithin(capacity, group) > 0))
}

/**
 * Finds the cheapest pool of one type that holds all pods, or undefined if there is none. Types are packed in the order
 * of their minimum cost, until no remaining type can cost less. Yields from time to time, as packPods does.
 */
export function* cheapestPool(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): Generator<undefined, PackedPool | undefined> {
  let best: PackedPool | undefined
  for (const { type, minUsd } of byLeastCost(groups, types, rules)) {
    if (best !== undefined && minUsd >= poolsPerMonthUsd([best])) break
    const pool = yield* packPool(groups, type, rules)
    if (pool !== undefined && (best === undefined || poolsPerMonthUsd([pool]) < poolsPerMonthUsd([best])))
      best = pool
  }
  return best
}

/**
 * Returns the fastest pool of one type that costs nearly as little as the cheapest one, which may be that one itself.
 * Yields from time to time, as packPods does.
 */
export function* fasterPool(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  cheapest: PackedPool,
): Generator<undefined, PackedPool> {
  const maxUsd = similarPriceRatio * poolsPerMonthUsd([cheapest])
  const faster = byLeastCost(groups, types, rules)
    .filter(({ type, minUsd }) => minUsd <= maxUsd && speedOf(type) > speedOf(cheapest.type))
    .sort((a, b) => speedOf(b.type) - speedOf(a.type))
  for (const { type } of faster) {
    const pool = yield* packPool(groups, type, rules)
    if (pool !== undefined && poolsPerMonthUsd([pool]) <= maxUsd) return pool
  }
  return cheapest
}

const speedOf = ({ speed = 1 }: NodeType): number => speed

function byLeastCost(groups: readonly PodGroup[], types: readonly NodeType[], rules: PoolRules) {
  const need = sumOfPods(groups)
  return types
    .map((type) => ({ type, minUsd: minCount(need, type, rules) * type.perMonthUsd }))
    .filter(({ minUsd }) => Number.isFinite(minUsd))
    .sort((a, b) => a.minUsd - b.minUsd || (a.type.name < b.type.name ? -1 : 1))
}

/**
 * Packs the pods by first fit into the smallest pool of a type that it finds. Returns undefined if a pod is larger than
 * a node.
 */
export function* packPool(
  groups: readonly PodGroup[],
  type: NodeType,
  rules: PoolRules,
): Generator<undefined, PackedPool | undefined> {
  const capacity = allocatableOn(type, rules)
  const least = minCount(sumOfPods(groups), type, rules)
  if (least > maxNodes) return undefined
  const nodes: PackedNode[] = []
  const open = () => (nodes.length < maxNodes ? emptyNode(capacity) : undefined)
  if (!(yield* packPods(largestFirst(groups, capacity), nodes, open))) return undefined
  while (nodes.length < least) nodes.push(emptyNode(capacity))
  if (!holdsOneMore(groups, nodes)) nodes.push(emptyNode(capacity))
  return { type, count: nodes.length, nodes }
}

/**
 * Returns the minimum number of nodes of the type: enough for all pods together, with headroom, and for the minimum of
 * the rules.
 */
export function minCount(need: PodResources, type: NodeType, rules: PoolRules): number {
  const capacity = allocatableOn(type, rules)
  const usable = 1 - rules.headroom
  return Math.max(
    rules.minNodes,
    nodesFor(need.cores, capacity.cores * usable),
    nodesFor(need.gib, capacity.gib * usable),
    nodesFor(need.pods, capacity.pods),
  )
}

const nodesFor = (need: number, perNode: number): number =>
  need <= tolerance ? 0 : Math.ceil(need / perNode - tolerance)
