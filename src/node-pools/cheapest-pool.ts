import { type NodePool, type NodeType, type PoolRules, poolsPerMonthUsd, roomOn } from './node-type.ts'
import { emptyNode, holdsOneMore, type PackedNode, packPods } from './pack.ts'
import { largestFirst, type PodGroup, type PodRoom, podsWithin, sumOfPods, tolerance } from './pods.ts'

/** The largest cluster that Kubernetes is tested with: kubernetes.io/docs/setup/best-practices/cluster-large */
const mostNodes = 5000

/** A pool with where every pod goes. */
export interface PackedPool extends NodePool {
  readonly nodes: readonly PackedNode[]
}

/** Pods that no type has room for. */
export const podsWithoutNode = (
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): PodGroup[] => {
  const rooms = types.map((type) => roomOn(type, rules))
  return groups.filter((group) => !rooms.some((room) => podsWithin(room, group) > 0))
}

/**
 * The cheapest pool of one type that holds all pods; undefined where none does. Types are packed in the order of what they
 * cost at least, until none that is left can cost less. Yields now and then, as packPods does.
 */
export function* cheapestPool(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): Generator<undefined, PackedPool | undefined> {
  const need = sumOfPods(groups)
  const ranked = types
    .map((type) => ({ type, leastUsd: leastCount(need, type, rules) * type.perMonthUsd }))
    .filter(({ leastUsd }) => Number.isFinite(leastUsd))
    .sort((a, b) => a.leastUsd - b.leastUsd || (a.type.name < b.type.name ? -1 : 1))
  let best: PackedPool | undefined
  for (const { type, leastUsd } of ranked) {
    if (best !== undefined && leastUsd >= poolsPerMonthUsd([best])) break
    const pool = yield* packPool(groups, type, rules)
    if (pool !== undefined && (best === undefined || poolsPerMonthUsd([pool]) < poolsPerMonthUsd([best])))
      best = pool
  }
  return best
}

/** The smallest pool of a type that first fit finds for the pods; undefined where one of them is larger than a node. */
export function* packPool(
  groups: readonly PodGroup[],
  type: NodeType,
  rules: PoolRules,
): Generator<undefined, PackedPool | undefined> {
  const room = roomOn(type, rules)
  const least = leastCount(sumOfPods(groups), type, rules)
  if (least > mostNodes) return undefined
  const nodes: PackedNode[] = []
  const open = () => (nodes.length < mostNodes ? emptyNode(room) : undefined)
  if (!(yield* packPods(largestFirst(groups, room), nodes, open))) return undefined
  while (nodes.length < least) nodes.push(emptyNode(room))
  if (!holdsOneMore(groups, nodes)) nodes.push(emptyNode(room))
  return { type, count: nodes.length, nodes }
}

/** No pool of the type can have fewer nodes: what all pods need together, with headroom, and the least that is asked for. */
export function leastCount(need: PodRoom, type: NodeType, rules: PoolRules): number {
  const room = roomOn(type, rules)
  const usable = 1 - rules.headroom
  return Math.max(
    rules.leastNodes,
    nodesFor(need.cores, room.cores * usable),
    nodesFor(need.gib, room.gib * usable),
    nodesFor(need.pods, room.pods),
  )
}

const nodesFor = (need: number, perNode: number): number =>
  need <= tolerance ? 0 : Math.ceil(need / perNode - tolerance)
