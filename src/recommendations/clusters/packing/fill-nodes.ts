import { type BoundPrices, worthOf } from './lower-bound.ts'
import { allocatableOn, type NodeType, type PoolRules } from './node-type.ts'
import { emptyNode, type PackedNode, placeOn } from './pack.ts'
import { largestFirst, type PodGroup, podsWithin } from './pods.ts'

interface Waiting {
  readonly group: PodGroup
  left: number
}

/** How the nodes of a type would be filled, and how often the same is possible. */
interface Pattern {
  readonly type: NodeType
  readonly parts: readonly { readonly of: Waiting; readonly count: number }[]
  readonly usdPerValue: number
}

/**
 * Opens one node after the other, of the type whose filled node costs least for the pods that it takes, and repeats it while
 * the same pods are left. A pod is worth its cores and memory at the prices that the lower bound has for them. Afterwards
 * each node becomes one of the cheapest type that holds its pods. Returns undefined if a pod fits on no type.
 */
export function* fillNodes(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  prices: BoundPrices,
): Generator<undefined, PackedNode[] | undefined> {
  const capacities = types.map((type) => ({ type, capacity: allocatableOn(type, rules) }))
  const largest = capacities.reduce(
    (most, { capacity }) => ({
      cores: Math.max(most.cores, capacity.cores),
      gib: Math.max(most.gib, capacity.gib),
      pods: 0,
    }),
    { cores: 0, gib: 0, pods: 0 },
  )
  let waiting: Waiting[] = largestFirst(groups, largest).map((group) => ({ group, left: group.count }))
  const podWorth = ({ cores, gib, gpus = 0 }: PodGroup): number =>
    Math.max(1e-9, worthOf([cores, gib, 1, gpus], prices))
  const nodes: PackedNode[] = []
  for (let step = 0; waiting.length > 0; step++) {
    if (step % stepsPerPause === 0) yield
    const best = types
      .map((type) => patternOf(type, waiting, rules, podWorth))
      .reduce((a, b) => (b.usdPerValue < a.usdPerValue ? b : a))
    if (best.parts.length === 0) return undefined
    const times = best.parts.reduce(
      (least, { of, count }) => Math.min(least, Math.floor(of.left / count)),
      maxTimes,
    )
    if (nodes.length + times > maxTimes) return undefined
    for (let time = 0; time < times; time++) {
      const node = emptyNode(best.type, rules)
      for (const { of, count } of best.parts) placeOn(node, of.group, count)
      nodes.push(node)
    }
    for (const part of best.parts) part.of.left -= times * part.count
    waiting = waiting.filter(({ left }) => left > 0)
  }
  return nodes.map((node) => cheapestFor(node, types, rules))
}

const stepsPerPause = 8
/** The largest cluster that Kubernetes is tested with: kubernetes.io/docs/setup/best-practices/cluster-large */
const maxTimes = 5000

function patternOf(
  type: NodeType,
  waiting: readonly Waiting[],
  rules: PoolRules,
  podWorth: (group: PodGroup) => number,
): Pattern {
  const free = { gpus: 0, ...allocatableOn(type, rules) }
  const parts: { of: Waiting; count: number }[] = []
  let value = 0
  for (const of of waiting) {
    const { group, left } = of
    if (free.pods === 0) break
    const alike = parts.reduce((sum, part) => (part.of.group.name === group.name ? sum + part.count : sum), 0)
    const count = Math.min(left, (group.perNode ?? left) - alike, podsWithin(free, group))
    if (count <= 0 || (group.apart && parts.some((part) => group.apart!.has(part.of.group.name)))) continue
    parts.push({ of, count })
    free.cores -= count * group.cores
    free.gib -= count * group.gib
    free.gpus -= count * (group.gpus ?? 0)
    free.pods -= count
    value += count * podWorth(group)
  }
  return { type, parts, usdPerValue: value === 0 ? Number.POSITIVE_INFINITY : type.perMonthUsd / value }
}

function cheapestFor(node: PackedNode, types: readonly NodeType[], rules: PoolRules): PackedNode {
  let best = node
  for (const type of types) {
    if (type.perMonthUsd >= best.type.perMonthUsd) continue
    const other = emptyNode(type, rules)
    if (node.placed.every(({ group, count }) => placeOn(other, group, count) === count)) best = other
  }
  return best
}
