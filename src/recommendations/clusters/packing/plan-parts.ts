import type { PodsOnNodes } from './cluster-pods.ts'
import { fewerNodes, placeOnPools } from './fewer-nodes.ts'
import { mixPools } from './mix-pools.ts'
import { type NodePool, type PoolRules, poolsPerMonthUsd } from './node-type.ts'
import type { PackedNode } from './pack.ts'
import { dividePods, type PartRules, type PodsPart } from './pod-parts.ts'
import type { PodGroup } from './pods.ts'
import { spreadFaultOf, zoneFaultOf } from './verify.ts'

/** The rules without what runs on every node. */
export type PoolLimits = Omit<PoolRules, 'everywhere'>

/** Nodes for pods, of which each part has its own. */
export interface PlannedPools<Pool extends NodePool> {
  readonly pools: readonly Pool[]
  readonly byPart: ReadonlyMap<string, readonly Pool[]>
  /** How the pods were divided. */
  readonly rules: PartRules
  readonly perMonthUsd: number
  /** Whether not all numbers of nodes were tried that could cost less. */
  readonly isCut: boolean
  /** Whether these are as many nodes as now, which hold what runs on them, even without the headroom. */
  readonly isAsNow?: boolean
}

/** Plans each part by itself. Returns undefined if no nodes hold the pods of a part. Yields from time to time. */
export function* planParts<Pool extends NodePool>(
  { groups, everywhere }: PodsOnNodes,
  rules: PartRules,
  limits: PoolLimits,
  candidatesOf: (part: PodsPart) => readonly Pool[],
): Generator<undefined, PlannedPools<Pool> | undefined> {
  let least = 0
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const planned = yield* planOnce({ groups, everywhere }, rules, limits, least, candidatesOf)
    if (planned === undefined || planned.isEven) return planned
    // Pods that are spread over zones and hosts are so if all zones have as many nodes.
    least = Math.max(
      ...[...planned.byPart.values()].map((pools) => pools.reduce((sum, { count }) => sum + count, 0)),
    )
  }
  const flat = groups.map((group) =>
    group.hostSkew === undefined
      ? group
      : { ...group, perNode: Math.min(group.hostSkew, group.perNode ?? group.hostSkew) },
  )
  return yield* planOnce({ groups: flat, everywhere }, rules, limits, 0, candidatesOf)
}

const maxAttempts = 4

function* planOnce<Pool extends NodePool>(
  { groups, everywhere }: PodsOnNodes,
  rules: PartRules,
  limits: PoolLimits,
  leastInPart: number,
  candidatesOf: (part: PodsPart) => readonly Pool[],
): Generator<undefined, (PlannedPools<Pool> & { readonly isEven: boolean }) | undefined> {
  const parts = partsOf(groups, rules)
  const minNodes = Math.max(leastInPart, Math.ceil(limits.minNodes / Math.max(1, parts.length)))
  let isCut = false
  function* plan(part: PodsPart, candidates: readonly Pool[]) {
    const least = Math.max(minNodes, part.isSpot ? minSpotNodes : 1)
    const types = candidates.map(({ type }) => type)
    const found = yield* mixPools(part.groups, types, { ...limits, minNodes: least, everywhere })
    isCut ||= found?.isCut ?? false
    if (found !== undefined) nodesOf.set(part.key, found.nodes)
    return found?.pools.map(({ type, count }) => ({
      ...candidates.find((pool) => pool.type === type)!,
      count,
      ...(part.zone === undefined ? {} : { zone: part.zone }),
    }))
  }
  const nodesOf = new Map<string, readonly PackedNode[]>()
  const byPart = new Map<string, readonly Pool[]>()
  for (const part of parts) {
    const pools = yield* plan(part, candidatesOf(part))
    if (pools === undefined) return undefined
    byPart.set(part.key, pools)
  }
  // People run few types, whatever the number of zones.
  for (const alike of Map.groupBy(parts, ({ isSpot, isArm }) => `${isSpot} ${isArm}`).values()) {
    const costs = new Map<Pool['type'], number>()
    for (const { key } of alike)
      for (const { type, count } of byPart.get(key)!)
        costs.set(type, (costs.get(type) ?? 0) + count * type.perMonthUsd)
    if (costs.size <= limits.maxPools) continue
    const most = [...costs].sort(([, a], [, b]) => b - a).slice(0, limits.maxPools)
    const kept = new Set(most.map(([type]) => type))
    for (const part of alike) {
      if (byPart.get(part.key)!.every(({ type }) => kept.has(type))) continue
      const pools = yield* plan(
        part,
        candidatesOf(part).filter(({ type }) => kept.has(type)),
      )
      if (pools !== undefined) byPart.set(part.key, pools)
    }
  }
  return { ...plannedPools(byPart, rules, isCut), isEven: isSpreadOver(groups, parts, nodesOf) }
}

function partsOf(groups: readonly PodGroup[], rules: PartRules): PodsPart[] {
  const parts = dividePods(groups, rules)
  const fault = rules.zones.length === 0 ? undefined : zoneFaultOf(groups, rules.zones, parts)
  if (fault !== undefined) throw new Error(`A plan of nodes is wrong: ${fault}.`)
  return parts
}

/** Each part is spread evenly, but a zone may have more nodes than another. */
function isSpreadOver(
  groups: readonly PodGroup[],
  parts: readonly PodsPart[],
  nodesOf: ReadonlyMap<string, readonly PackedNode[]>,
): boolean {
  const own = parts.flatMap(({ key, isSpot }) => (isSpot ? [] : nodesOf.get(key)!))
  return spreadFaultOf(groups, own) === undefined
}

/** So that not all pods end with the first node that the provider takes back. */
const minSpotNodes = 2

/** Removes nodes as long as the others of the same part hold the pods. Returns undefined if not even all of them do. */
export function* fewerInParts<Pool extends NodePool>(
  { groups, everywhere }: PodsOnNodes,
  rules: PartRules,
  limits: PoolLimits,
  currentOf: (part: PodsPart) => readonly Pool[],
): Generator<undefined, PlannedPools<Pool> | undefined> {
  const byPart = new Map<string, readonly Pool[]>()
  const nodesOf = new Map<string, readonly PackedNode[]>()
  const parts = partsOf(groups, rules)
  for (const part of parts) {
    const current = currentOf(part)
    const nodes = current.reduce((sum, { count }) => sum + count, 0)
    const least = Math.max(Math.ceil(limits.minNodes / parts.length), part.isSpot ? minSpotNodes : 0)
    const minNodes = Math.min(nodes, least)
    const kept = yield* fewerNodes(part.groups, current, { ...limits, minNodes, everywhere })
    if (kept === undefined) return undefined
    byPart.set(part.key, kept.pools)
    nodesOf.set(part.key, kept.nodes)
  }
  return isSpreadOver(groups, parts, nodesOf) ? plannedPools(byPart, rules) : undefined
}

export function plannedPools<Pool extends NodePool>(
  byPart: ReadonlyMap<string, readonly Pool[]>,
  rules: PartRules,
  isCut = false,
): PlannedPools<Pool> {
  const pools = [...byPart.values()].flat()
  return { pools, byPart, rules, perMonthUsd: poolsPerMonthUsd(pools), isCut }
}

/** Whether planned nodes hold other pods too, divided in the same way. */
export function* holdParts(
  { groups, everywhere }: PodsOnNodes,
  { byPart, rules }: PlannedPools<NodePool>,
  limits: PoolLimits,
): Generator<undefined, boolean> {
  for (const { key, groups: inPart } of dividePods(groups, rules)) {
    const pools = byPart.get(key) ?? []
    if ((yield* placeOnPools(inPart, pools, { ...limits, minNodes: 0, everywhere })) === undefined)
      return false
  }
  return true
}
