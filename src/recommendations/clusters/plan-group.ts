import { isProviderLabel, isTypeLabel, type NodePlacement } from '../../domain/node-placement.ts'
import type { Architecture, Offer } from '../../domain/offer.ts'
import type { Market } from '../../pricing/market.ts'
import type { CurrentNode } from './cluster-nodes.ts'
import { type ClusterEffort, type ClusterRules, hasArm64 } from './cluster-rules.ts'
import type { NodeSizes } from './node-sizes.ts'
import type { NodeWeek } from './node-week.ts'
import { type CandidateKind, candidatePools, type OfferedPool, poolOf, poolsOf } from './offered-pools.ts'
import type { ClusterPods, PodsOnNodes } from './packing/cluster-pods.ts'
import { boundSteps, lowerBoundUsd } from './packing/lower-bound.ts'
import { podsWithoutNode } from './packing/mix-pools.ts'
import { allocatableOn, holdsAllOf, poolsPerMonthUsd, weekHours } from './packing/node-type.ts'
import {
  fewerInParts,
  holdParts,
  type PlannedPools,
  type PoolLimits,
  plannedPools,
  planParts,
} from './packing/plan-parts.ts'
import type { PartRules, PodsPart } from './packing/pod-parts.ts'
import { type PodGroup, type PodResources, sumOfPods } from './packing/pods.ts'
import { afterFreeRoom } from './packing/use-free-room.ts'

/** Where and how all groups of nodes are planned together. */
export interface PlanTarget {
  readonly effort: ClusterEffort
  /** Undefined where the nodes are now. */
  readonly place?: CandidateKind['place']
  readonly spotShare: number
}

type Work<Result> = Generator<undefined, Result>
type Pools = PlannedPools<OfferedPool>

/** Nodes that can take each other's pods. All of them have an offer. */
export interface NodeGroup {
  readonly nodes: readonly CurrentNode[]
  /** The types of nodes whose pods run on these nodes. */
  readonly types: ReadonlySet<string>
  readonly pods: ClusterPods
  readonly sizes: NodeSizes
  /** Undefined if the end is the busiest, or if nodes are added for busy hours. */
  readonly busiestHour: number | undefined
  /** If an autoscaler adds and removes nodes; the nodes are then those of the hour in which there were most. */
  readonly week?: NodeWeek | undefined
  /** Nodes of the same kind that are reserved, whose free room these pods use. */
  readonly reserved?: GroupPlanner | undefined
}

/** Pods of some hours of the week, from 0. */
interface WeekPart {
  readonly hours: readonly number[]
  readonly pods: PodsOnNodes
}

/** Plans one group of nodes for one target after the other. */
export class GroupPlanner {
  readonly current: readonly OfferedPool[]
  readonly notes: string[] = []
  readonly #market: Market
  readonly #group: NodeGroup
  readonly #rules: ClusterRules
  readonly #limits: PoolLimits
  #pods: Readonly<Record<'atEnd' | 'busiest' | 'both' | 'current', PodsOnNodes>>
  readonly #candidates = new Map<string, readonly OfferedPool[]>()
  #keptBecause: string | undefined
  /** Empty without an autoscaler. */
  #week: readonly WeekPart[] = []

  constructor(market: Market, group: NodeGroup, rules: ClusterRules, keptBecause?: string) {
    const { nodes, types, sizes, week, reserved } = group
    this.#market = market
    this.#group = group
    this.#rules = rules
    this.#keptBecause = keptBecause
    this.current = week === undefined ? poolsOf(nodes, sizes) : weekPools(week, types, sizes)
    const { headroom, maxPools } = rules
    const fewest = fewestOf(this.current)
    const minNodes = Math.min(rules.minNodes, Math.max(1, fewest))
    const staying = reserved === undefined ? 0 : fewestOf(reserved.current)
    this.#limits = { headroom, minNodes: Math.max(0, minNodes - staying), maxPools }
    const none = { groups: [], everywhere: { cores: 0, gib: 0, pods: 0 } }
    this.#pods = { atEnd: none, busiest: none, both: none, current: none }
  }

  /** Must be called first. */
  *prepare(): Work<void> {
    const { nodes, busiestHour, week } = this.#group
    const busiestHours = busiestHour === undefined ? undefined : [busiestHour]
    const atEnd = yield* this.#podsIn('recommended', week && busiestHours)
    const busiest = busiestHours === undefined ? atEnd : yield* this.#podsIn('recommended', busiestHours)
    const both = { groups: mostOf(atEnd.groups, busiest.groups), everywhere: atEnd.everywhere }
    this.#pods = { atEnd, busiest, both, current: yield* this.#podsIn('current', busiestHours) }
    const hasGpus = atEnd.groups.some(({ gpus = 0 }) => gpus > 0)
    this.#keptBecause ??= whyKept(this.#offer, hasGpus)
    const given = Object.keys(this.placement.labels).filter(isProviderLabel)
    if (given.length > 0)
      this.notes.push(
        this.#isBoundToTypes
          ? `Nodes that pods select by ${given.join(', ')} keep their types.`
          : `Pods select nodes by ${given.join(', ')}: give new pools the same names, or change the selectors.`,
      )
    if (this.#keptBecause !== undefined) this.notes.push(this.#keptBecause)
    else if (week !== undefined)
      this.#week = yield* weekParts(week, nodes.length, (hours) => this.#podsIn('recommended', hours))
  }

  *#podsIn(size: 'recommended' | 'current', hours?: readonly number[]): Work<PodsOnNodes> {
    const { groups, everywhere } = this.#podsOn(size, hours)
    const { reserved } = this.#group
    yield
    if (reserved === undefined) return { groups, everywhere }
    const own = reserved.#podsOn(size, hours)
    const rules = { ...this.#limits, minNodes: 0, everywhere: own.everywhere }
    const pools = reserved.current.map((pool) => ({ ...pool, count: pool.fewest ?? pool.count }))
    return { groups: yield* afterFreeRoom(groups, { pools, groups: own.groups, rules }), everywhere }
  }

  #podsOn(size: 'recommended' | 'current', hours: readonly number[] | undefined): PodsOnNodes {
    const { types, pods, week } = this.#group
    const nodes = this.current.reduce((sum, { count, mean = count }) => sum + mean, 0)
    const counts = { nodes, minNodes: this.#limits.minNodes, allHours: week?.hours.flat() }
    const { groups, everywhere } = pods.podsOnTypes(types, counts, size, hours)
    const arm = (pod: PodGroup) => (hasArm64(this.#rules, pod.name) ? { ...pod, hasArm64: true } : pod)
    return { groups: groups.map(arm), everywhere }
  }

  get #offer(): Offer {
    return this.current[0]!.offer
  }

  /** Whether pods select these nodes by their type. */
  get #isBoundToTypes(): boolean {
    return Object.keys(this.placement.labels).some(isTypeLabel)
  }

  get placement(): NodePlacement {
    return this.#group.nodes[0]!.type.placement
  }

  /** The pods for which nodes are planned. */
  get pods(): PodsOnNodes {
    return this.#pods.busiest
  }

  get currentUsd(): number {
    return poolsPerMonthUsd(this.current)
  }

  /** Pods that fit on no type here. */
  get unplaced(): readonly PodGroup[] {
    if (this.#keptBecause !== undefined) return []
    return podsWithoutNode(this.pods.groups, this.#typesAt(undefined), this.#poolRules)
  }

  /** No nodes here, or at another place, cost less. */
  boundUsd(place?: CandidateKind['place']): number {
    if (this.#keptBecause !== undefined) return this.currentUsd
    const types = this.#typesAt(place)
    const boundOf = ({ groups, everywhere }: PodsOnNodes, steps = 0): number =>
      lowerBoundUsd(groups, types, { ...this.#limits, everywhere }, steps)
    if (place !== undefined) return boundOf(this.pods)
    const { week } = this.#group
    if (week === undefined) return Math.min(this.currentUsd, boundOf(this.pods, boundSteps))
    const byHour = new Float64Array(weekHours)
    for (const { hours, pods } of this.#week) for (const hour of hours) byHour[hour] = boundOf(pods)
    return Math.min(this.currentUsd, week.meanOf(byHour))
  }

  get #poolRules() {
    return { ...this.#limits, everywhere: this.pods.everywhere }
  }

  #typesAt(place: CandidateKind['place'] | undefined) {
    const own = this.#candidatesOf({ isSpot: false, isArm: this.#rules.arm64.length > 0 }, place)
    return own.map(({ type }) => type)
  }

  /** The same types, as few nodes as hold the pods; the current ones if these leave no room. */
  *fewer(): Work<Pools> {
    const kept = asNow(this.current)
    if (this.#keptBecause !== undefined) return kept
    const rules = this.#partRules(undefined)
    const inZone = ({ zone }: PodsPart) => {
      const nodes = this.#group.nodes.filter((node) => zone === undefined || node.zone === zone)
      return poolsOf(nodes, this.#group.sizes).map((pool) => (zone === undefined ? pool : { ...pool, zone }))
    }
    const fewer = yield* this.#overWeek(
      yield* this.#forAll((pods) => fewerInParts(pods, rules, this.#limits, inZone)),
    )
    if (fewer === undefined) this.notes.push(noRoom)
    return fewer === undefined || fewer.perMonthUsd > kept.perMonthUsd ? kept : fewer
  }

  /** Returns undefined if nothing holds the pods; here, pools that cost at least the wanted share less than `easier`. */
  *plan({ place, spotShare }: PlanTarget, easier: Pools): Work<Pools | undefined> {
    if (this.#keptBecause !== undefined) return place === undefined ? easier : this.#alikeAt(place)
    const isSpotNow = this.#offer.usageType === 'SPOT_PREEMPTIBLE'
    const rules = { ...this.#partRules(place), spotShare: isSpotNow ? 0 : spotShare }
    const candidatesOf = (part: PodsPart) => this.#candidatesOf(part, place)
    const planned = (parts: PartRules): Work<Pools | undefined> =>
      this.#forAll((pods) => planParts(pods, parts, this.#limits, candidatesOf))
    let best = yield* this.#overWeek(yield* planned(rules))
    if (this.#rules.arm64.length > 0) {
      const withArm = yield* this.#overWeek(yield* planned({ ...rules, splitsArm: true }))
      if (withArm !== undefined && (best === undefined || withArm.perMonthUsd < best.perMonthUsd))
        best = withArm
    }
    if (best?.isCut) this.notes.push('Not all numbers of nodes were tried: there may be cheaper ones.')
    if (place !== undefined) {
      // Where the nodes leave no room for a roll-out now, as many elsewhere do as well.
      const alike = easier.isAsNow ? this.#alikeAt(place) : undefined
      return alike !== undefined && !((best?.perMonthUsd ?? alike.perMonthUsd) < alike.perMonthUsd)
        ? alike
        : best
    }
    const isWorth =
      best !== undefined && best.perMonthUsd <= (1 - this.#rules.minGain) * easier.perMonthUsd + roundingUsd
    return isWorth ? best : easier
  }

  /** Whether the pods fit without the recommended sizes. */
  *holdsCurrentSizes(pools: Pools): Work<boolean> {
    return pools.isAsNow || (yield* holdParts(this.#pods.current, pools, this.#limits))
  }

  /** Nodes for the busiest hour must also hold what runs at the end, which may be other pods. */
  *#forAll(planFor: (pods: PodsOnNodes) => Work<Pools | undefined>): Work<Pools | undefined> {
    const { atEnd, busiest, both } = this.#pods
    const planned = yield* planFor(busiest)
    if (planned === undefined || busiest === atEnd) return planned
    return (yield* holdParts(atEnd, planned, this.#limits)) ? planned : yield* planFor(both)
  }

  /** With an autoscaler, how many of the planned nodes each hour of the week needs; undefined if one needs far more. */
  *#overWeek(planned: Pools | undefined): Work<Pools | undefined> {
    const { week } = this.#group
    if (planned === undefined || week === undefined) return planned
    const byPart = new Map(
      [...planned.byPart].map(([key, pools]) => [
        key,
        pools.map((pool) => ({ ...pool, byHour: new Float64Array(weekHours) })),
      ]),
    )
    for (const { hours, pods } of this.#week) {
      const needed =
        (yield* this.#fewerOf(planned, pods, 1)) ?? (yield* this.#fewerOf(planned, pods, moreNodes))
      if (needed === undefined) return undefined
      for (const [key, pools] of needed.byPart)
        for (const { offer, count } of pools)
          for (const hour of hours)
            byPart.get(key)!.find((pool) => pool.offer === offer)!.byHour[hour] = count
    }
    const pools = [...byPart.values()].flat().map((pool): OfferedPool => {
      const count = pool.byHour.reduce((most, nodes) => Math.max(most, nodes), pool.count)
      return { ...pool, count, fewest: fewestIn(week, pool.byHour), mean: week.meanOf(pool.byHour) }
    })
    return { ...planned, pools, perMonthUsd: poolsPerMonthUsd(pools) }
  }

  #fewerOf({ byPart, rules }: Pools, pods: PodsOnNodes, times: number): Work<Pools | undefined> {
    const nodesOf = ({ key }: PodsPart) =>
      (byPart.get(key) ?? []).map((pool) => ({ ...pool, count: Math.ceil(times * pool.count) }))
    return fewerInParts(pods, rules, this.#limits, nodesOf)
  }

  #partRules(place: CandidateKind['place'] | undefined): PartRules {
    const { groups } = this.pods
    const isZoned = groups.some(({ zone, isSpreadOverZones }) => zone !== undefined || isSpreadOverZones)
    const zones = new Set([
      ...this.#group.nodes.flatMap(({ zone = [] }) => zone),
      ...groups.flatMap(({ zone = [] }) => zone),
    ])
    // Volumes move with the pods to another place.
    const isHere = place === undefined && isZoned && zones.size > 1
    return { zones: isHere ? [...zones].sort() : [], spotShare: 0, splitsArm: false }
  }

  #candidatesOf(
    { isSpot, isArm }: Pick<PodsPart, 'isSpot' | 'isArm'>,
    at: CandidateKind['place'] | undefined,
  ): readonly OfferedPool[] {
    const { provider, region, architecture } = this.#offer
    const place = at ?? { provider, region }
    const paid = isSpot ? { usageType: 'SPOT_PREEMPTIBLE' as const } : {}
    if (this.#isBoundToTypes)
      return at === undefined && !isSpot ? this.current.map((pool) => ({ ...pool, count: 0 })) : []
    const offersOf = (kind: { readonly architecture?: Architecture }) =>
      candidatePools(
        this.#market,
        this.current.map(({ offer }) => offer),
        this.#group.sizes,
        { place, ...paid, ...kind },
      )
    return this.#candidates.getOrInsertComputed(JSON.stringify([place, isSpot, isArm]), () => [
      ...offersOf({}),
      ...(isArm && architecture !== 'arm64' ? offersOf({ architecture: 'arm64' }) : []),
      ...(at === undefined && !isSpot
        ? this.current.map(({ type, offer }) => ({ type, offer, count: 0 }))
        : []),
    ])
  }

  /** As many nodes at another place, each at least as large. */
  #alikeAt(place: CandidateKind['place']): Pools | undefined {
    const pools: OfferedPool[] = []
    for (const { type, offer: _, ...counts } of this.current) {
      const [cheapest] = this.#candidatesOf({ isSpot: false, isArm: false }, place)
        .filter((other) =>
          holdsAllOf(allocatableOn(other.type, this.#poolRules), allocatableOn(type, this.#poolRules)),
        )
        .sort((a, b) => a.type.perMonthUsd - b.type.perMonthUsd)
      if (cheapest === undefined) return undefined
      pools.push({ ...cheapest, ...counts })
    }
    return asNow(pools)
  }
}

const asNow = (pools: readonly OfferedPool[]): Pools => ({
  ...plannedPools(new Map([['', pools]]), { zones: [], spotShare: 0, splitsArm: false }),
  isAsNow: true,
})

const roundingUsd = 1e-9
/** In an hour with other pods than the busiest, an autoscaler adds nodes. */
const moreNodes = 1.5

function weekPools(week: NodeWeek, types: ReadonlySet<string>, sizes: NodeSizes): OfferedPool[] {
  return [...week.byType].flatMap(([type, byHour]) => {
    const most = byHour.reduce((a, b) => Math.max(a, b), 0)
    const counts = { byHour, fewest: fewestIn(week, byHour), mean: week.meanOf(byHour) }
    return types.has(type.key) ? [{ ...poolOf(type, Math.ceil(most), sizes), ...counts }] : []
  })
}

const fewestOf = (pools: readonly OfferedPool[]): number =>
  pools.reduce((sum, { count, fewest = count }) => sum + fewest, 0)

/** A node that is replaced is missing for a part of an hour. */
const fewestIn = ({ hours }: NodeWeek, byHour: Float64Array): number =>
  Math.round(
    byHour.reduce((a, b, hour) => (hours[hour]!.length > 0 ? Math.min(a, b) : a), Number.POSITIVE_INFINITY),
  )

/** So many hours of the week are planned that the work stays bounded; each counts with the most pods of those like it. */
function* weekParts(
  { hours }: NodeWeek,
  nodes: number,
  podsIn: (hours: readonly number[]) => Work<PodsOnNodes>,
): Work<WeekPart[]> {
  const each: (WeekPart & { readonly sum: PodResources })[] = []
  for (const [hour, of] of hours.entries()) {
    if (of.length === 0) continue
    const pods = yield* podsIn(of)
    each.push({ hours: [hour], pods, sum: sumOfPods(pods.groups) })
  }
  const most = each.reduce(
    (all, { sum }) => ({
      cores: Math.max(all.cores, sum.cores),
      gib: Math.max(all.gib, sum.gib),
      pods: Math.max(all.pods, sum.pods),
    }),
    { cores: 1e-9, gib: 1e-9, pods: 1 },
  )
  const share = ({ sum }: (typeof each)[number]) => Math.max(sum.cores / most.cores, sum.gib / most.gib)
  each.sort((a, b) => share(a) - share(b))
  const parts = Math.max(minWeekParts, Math.floor(maxWeekLooks / (most.pods * nodes)))
  const length = Math.ceil(each.length / parts)
  return each
    .filter((_, index) => index % length === 0)
    .map((_, index) => each.slice(index * length, (index + 1) * length))
    .map((alike) => ({
      hours: alike.flatMap((one) => one.hours),
      pods: {
        groups: alike.map(({ pods }) => pods.groups).reduce(mostOf),
        everywhere: alike[0]!.pods.everywhere,
      },
    }))
}

const minWeekParts = 12
const maxWeekLooks = 4_000_000

const noRoom =
  'With the recommended sizes, the pods leave less headroom on the current nodes than requested, or no room for one more of the largest pods that a roll-out starts, so no node can be removed.'

function whyKept({ gpuCount, usageType }: Offer, hasGpus: boolean): string | undefined {
  if (gpuCount > 0 && !hasGpus)
    return 'Nodes with accelerators stay as they are: no pod on them is known to request one.'
  return usageType === 'RESERVED'
    ? 'Reserved nodes stay as they are: removing them saves nothing before their term ends. Pods of nodes of the same kind that are paid on demand use their free room.'
    : undefined
}

/** Returns each group with the larger of its two numbers of pods. */
function mostOf(some: readonly PodGroup[], others: readonly PodGroup[]): PodGroup[] {
  const keyOf = ({ name, zone = '', cores, gib }: PodGroup) => JSON.stringify([name, zone, cores, gib])
  const groups = new Map(some.map((group) => [keyOf(group), group]))
  for (const group of others)
    if (group.count > (groups.get(keyOf(group))?.count ?? 0)) groups.set(keyOf(group), group)
  return [...groups.values()]
}
