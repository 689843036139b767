import { allocatableOn, type NodePool, type NodeType, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import { type PodGroup, podsWithin, sumOfPods, tolerance, vectorOf } from './pods.ts'

/** A type with its capacity for pods, and what it cannot hold. */
interface Candidate {
  readonly type: NodeType
  /** With headroom. */
  readonly capacity: Float64Array
  readonly usd: number
  /** Sum of the pods that are larger than a node of the type. */
  readonly unfit: Float64Array
  readonly unfitGroups: readonly PodGroup[]
}

/** Pools that have enough capacity for the sum of all pods, of which it is not known whether they hold each of them. */
export interface CountedPools {
  readonly pools: readonly NodePool[]
  readonly usd: number
  /** The same for all that consist of the same types. */
  readonly key: string
}

const maxCounted = 1500
/** Beyond a pair, a third type can replace at most this many nodes. */
const maxThird = 4

/**
 * Returns numbers of nodes of up to three types together that are enough for the sums of all pods, cheapest first: for each
 * number of nodes of one type, the fewest of another. Pairs are visited in the order of their least cost, until no other
 * can be among the cheapest.
 */
export function* countPools(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  belowUsd: number,
): Generator<undefined, CountedPools[]> {
  const need = Float64Array.from(vectorOf(sumOfPods(groups)))
  const candidates = types
    .map((type) => candidateOf(groups, type, rules))
    .filter(({ capacity }) => capacity[2]! > 0)
  const found = new Cheapest(belowUsd)
  const pairs: { a: Candidate; b: Candidate; leastUsd: number }[] = []
  for (const [index, a] of candidates.entries()) {
    yield
    for (const b of candidates.slice(index)) {
      if (a !== b && rules.maxPools < 2) continue
      if (!a.unfitGroups.every((group) => podsWithin(allocatableOn(b.type, rules), group) > 0)) continue
      const leastUsd = leastOf(need, a, b)
      if (leastUsd < belowUsd) pairs.push({ a, b, leastUsd })
    }
  }
  pairs.sort((x, y) => x.leastUsd - y.leastUsd)
  const third = rules.maxPools < 3 ? [] : candidates.toSorted((x, y) => x.usd - y.usd).slice(0, maxThirds)
  for (const [index, { a, b, leastUsd }] of pairs.entries()) {
    if (leastUsd >= found.limitUsd) break
    if (index % pairsPerStep === 0) yield
    countPair(need, a, b, rules.minNodes, [], found)
    if (index < pairsWithThird && a !== b)
      for (const c of third)
        if (c !== a && c !== b)
          for (let count = 1; count <= maxThird; count++)
            countPair(less(need, c, count), a, b, rules.minNodes - count, [{ type: c.type, count }], found)
  }
  return found.sorted()
}

const pairsPerStep = 64
const pairsWithThird = 24
const maxThirds = 12

class Cheapest {
  limitUsd: number
  #all: CountedPools[] = []

  constructor(limitUsd: number) {
    this.limitUsd = limitUsd
  }

  add(pools: readonly NodePool[], usd: number): void {
    const used = pools.filter(({ count }) => count > 0)
    const key = used.map(({ type }) => type.name).join('+')
    this.#all.push({ pools: used, usd, key })
    if (this.#all.length >= 2 * maxCounted) this.#cut()
  }

  sorted(): CountedPools[] {
    this.#cut()
    return this.#all
  }

  #cut(): void {
    this.#all.sort((a, b) => a.usd - b.usd || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    if (this.#all.length <= maxCounted) return
    this.#all.length = maxCounted
    this.limitUsd = this.#all.at(-1)!.usd
  }
}

function countPair(
  need: Float64Array,
  a: Candidate,
  b: Candidate,
  minNodes: number,
  others: readonly NodePool[],
  found: Cheapest,
): void {
  const othersUsd = poolsPerMonthUsd(others)
  const add = (ofA: number, ofB: number): void => {
    const usd = ofA * a.usd + ofB * b.usd + othersUsd
    if (usd >= found.limitUsd) return
    const pair = a === b ? [] : [{ type: b.type, count: ofB }]
    found.add([{ type: a.type, count: ofA }, ...pair, ...others], usd)
  }
  // Any node may have the pods that are too large for the other type; so many are needed of each at least.
  const [minA, minB] = [nodesFor(b.unfit, a), nodesFor(a.unfit, b)]
  const most = Math.max(minA, minNodes, nodesFor(need, a))
  if (a === b) {
    for (let more = 0; more < 3; more++) add(most + more, 0)
    return
  }
  for (let ofA = Math.max(minA, 0); ofA <= most; ofA++) {
    if (ofA * a.usd >= found.limitUsd) break
    const ofB = Math.max(minB, minNodes - ofA, nodesFor(need, b, a, ofA))
    add(ofA, ofB)
    add(ofA, ofB + 1)
  }
}

function candidateOf(groups: readonly PodGroup[], type: NodeType, rules: PoolRules): Candidate {
  const all = allocatableOn(type, rules)
  const capacity = Float64Array.from(vectorOf(all))
  capacity[0]! *= 1 - rules.headroom
  capacity[1]! *= 1 - rules.headroom
  const unfitGroups = groups.filter((group) => podsWithin(all, group) === 0)
  return {
    type,
    capacity,
    usd: type.perMonthUsd,
    unfit: Float64Array.from(vectorOf(sumOfPods(unfitGroups))),
    unfitGroups,
  }
}

function less(need: Float64Array, { capacity }: Candidate, count: number): Float64Array {
  const rest = need.slice()
  for (let index = 0; index < rest.length; index++) rest[index]! -= count * capacity[index]!
  return rest
}

/** Nodes for what is left of a need after some nodes of another type. */
function nodesFor(need: Float64Array, { capacity }: Candidate, other?: Candidate, ofOther = 0): number {
  let most = 0
  for (let index = 0; index < need.length; index++) {
    const rest = need[index]! - (other === undefined ? 0 : ofOther * other.capacity[index]!)
    if (rest > tolerance) most = Math.max(most, Math.ceil(rest / capacity[index]! - tolerance))
  }
  return most
}

/** A cost that no numbers of these two types can undercut: for each resource, that of the type that has it for less. */
function leastOf(need: Float64Array, a: Candidate, b: Candidate): number {
  const of = (each: Candidate, index: number) =>
    need[index]! <= 0 ? 0 : need[index]! / each.capacity[index]!
  const alone = (each: Candidate): number => {
    let most = 0
    for (let index = 0; index < need.length; index++) most = Math.max(most, of(each, index))
    return each.unfitGroups.length > 0 ? Number.POSITIVE_INFINITY : most * each.usd
  }
  if (a === b) return alone(a)
  const determinant = a.capacity[0]! * b.capacity[1]! - a.capacity[1]! * b.capacity[0]!
  let least = Math.min(alone(a), alone(b))
  if (determinant !== 0) {
    const ofA = (need[0]! * b.capacity[1]! - need[1]! * b.capacity[0]!) / determinant
    const ofB = (a.capacity[0]! * need[1]! - a.capacity[1]! * need[0]!) / determinant
    if (ofA >= 0 && ofB >= 0) least = Math.min(least, ofA * a.usd + ofB * b.usd)
  }
  if (Number.isFinite(least)) return least
  // Some pods fit only one of the two; then the cheapest of both per resource is a bound.
  let bound = 0
  for (let index = 0; index < need.length; index++)
    bound = Math.max(bound, Math.min(of(a, index) * a.usd, of(b, index) * b.usd))
  return bound
}
