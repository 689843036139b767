import type { Architecture, Offer } from '../../domain/offer.ts'
import type { Market } from '../../pricing/market.ts'
import type { CurrentNode } from './cluster-nodes.ts'
import { type ClusterEffort, type ClusterRules, hasArm64 } from './cluster-rules.ts'
import type { NodeSizes } from './node-sizes.ts'
import { type CandidateKind, candidatePools, type OfferedPool, poolsOf } from './offered-pools.ts'
import type { ClusterPods, PodsOnNodes } from './packing/cluster-pods.ts'
import { lowerBoundUsd } from './packing/lower-bound.ts'
import { podsWithoutNode } from './packing/mix-pools.ts'
import { poolsPerMonthUsd } from './packing/node-type.ts'
import {
  fewerInParts,
  holdParts,
  type PlannedPools,
  type PoolLimits,
  plannedPools,
  planParts,
} from './packing/plan-parts.ts'
import type { PartRules, PodsPart } from './packing/pod-parts.ts'
import type { PodGroup } from './packing/pods.ts'

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
}

/** Plans one group of nodes for one target after the other. */
export class GroupPlanner {
  readonly current: readonly OfferedPool[]
  readonly notes: string[] = []
  readonly #market: Market
  readonly #group: NodeGroup
  readonly #rules: ClusterRules
  readonly #limits: PoolLimits
  readonly #pods: Readonly<Record<'atEnd' | 'busiest' | 'both' | 'current', PodsOnNodes>>
  readonly #candidates = new Map<string, readonly OfferedPool[]>()
  readonly #keptBecause: string | undefined

  constructor(market: Market, group: NodeGroup, rules: ClusterRules, keptBecause?: string) {
    const { nodes, types, pods, sizes, busiestHour } = group
    this.#market = market
    this.#group = group
    this.#rules = rules
    this.current = poolsOf(nodes, sizes)
    const { headroom, maxPools } = rules
    this.#limits = { headroom, minNodes: Math.min(rules.minNodes, nodes.length), maxPools }
    const counts = { nodes: nodes.length, minNodes: this.#limits.minNodes }
    const podsIn = (size: 'recommended' | 'current', hour?: number): PodsOnNodes => {
      const { groups, everywhere } = pods.podsOnTypes(types, counts, size, hour)
      const arm = (pod: PodGroup) => (hasArm64(rules, pod.name) ? { ...pod, hasArm64: true } : pod)
      return { groups: groups.map(arm), everywhere }
    }
    const atEnd = podsIn('recommended')
    const busiest = busiestHour === undefined ? atEnd : podsIn('recommended', busiestHour)
    const both = { groups: mostOf(atEnd.groups, busiest.groups), everywhere: atEnd.everywhere }
    this.#pods = { atEnd, busiest, both, current: podsIn('current', busiestHour) }
    const hasGpus = atEnd.groups.some(({ gpus = 0 }) => gpus > 0)
    this.#keptBecause = keptBecause ?? whyKept(this.#offer, hasGpus)
    if (this.#keptBecause !== undefined) this.notes.push(this.#keptBecause)
  }

  get #offer(): Offer {
    return this.current[0]!.offer
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
    const bound = lowerBoundUsd(this.pods.groups, this.#typesAt(place), this.#poolRules)
    return place === undefined ? Math.min(this.currentUsd, bound) : bound
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
    const kept = plannedPools(new Map([['', this.current]]), { zones: [], spotShare: 0, splitsArm: false })
    if (this.#keptBecause !== undefined) return kept
    const rules = this.#partRules(undefined)
    const inZone = ({ zone }: PodsPart) => {
      const nodes = this.#group.nodes.filter((node) => zone === undefined || node.zone === zone)
      return poolsOf(nodes, this.#group.sizes).map((pool) => (zone === undefined ? pool : { ...pool, zone }))
    }
    const fewer = yield* this.#forAll((pods) => fewerInParts(pods, rules, this.#limits, inZone))
    if (fewer === undefined) this.notes.push(noRoom)
    return fewer ?? kept
  }

  /** Returns undefined if nothing holds the pods; here, pools that cost at least the wanted share less than `easier`. */
  *plan({ place, spotShare }: PlanTarget, easier: Pools): Work<Pools | undefined> {
    if (this.#keptBecause !== undefined) return place === undefined ? easier : this.#alikeAt(place)
    const isSpotNow = this.#offer.usageType === 'SPOT_PREEMPTIBLE'
    const rules = { ...this.#partRules(place), spotShare: isSpotNow ? 0 : spotShare }
    const candidatesOf = (part: PodsPart) => this.#candidatesOf(part, place)
    let best = yield* this.#forAll((pods) => planParts(pods, rules, this.#limits, candidatesOf))
    if (this.#rules.arm64.length > 0) {
      const splits = { ...rules, splitsArm: true }
      const withArm = yield* this.#forAll((pods) => planParts(pods, splits, this.#limits, candidatesOf))
      if (withArm !== undefined && (best === undefined || withArm.perMonthUsd < best.perMonthUsd))
        best = withArm
    }
    if (best?.isCut) this.notes.push('Not all numbers of nodes were tried: there may be cheaper ones.')
    if (place !== undefined) return best
    const isWorth =
      best !== undefined && best.perMonthUsd <= (1 - this.#rules.minGain) * easier.perMonthUsd + roundingUsd
    return isWorth ? best : easier
  }

  /** Whether the pods fit without the recommended sizes. */
  *holdsCurrentSizes(pools: Pools): Work<boolean> {
    return this.#keptBecause !== undefined || (yield* holdParts(this.#pods.current, pools, this.#limits))
  }

  /** Nodes for the busiest hour must also hold what runs at the end, which may be other pods. */
  *#forAll(planFor: (pods: PodsOnNodes) => Work<Pools | undefined>): Work<Pools | undefined> {
    const { atEnd, busiest, both } = this.#pods
    const planned = yield* planFor(busiest)
    if (planned === undefined || busiest === atEnd) return planned
    return (yield* holdParts(atEnd, planned, this.#limits)) ? planned : yield* planFor(both)
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
      ...(at === undefined && !isSpot ? this.current.map((pool) => ({ ...pool, count: 0 })) : []),
    ])
  }

  /** As many nodes at another place, each at least as large. */
  #alikeAt(place: CandidateKind['place']): Pools | undefined {
    const pools: OfferedPool[] = []
    for (const { type, count } of this.current) {
      const [cheapest] = this.#candidatesOf({ isSpot: false, isArm: false }, place)
        .filter((other) => other.type.cores >= type.cores && other.offer.ramGib! >= type.gib)
        .sort((a, b) => a.type.perMonthUsd - b.type.perMonthUsd)
      if (cheapest === undefined) return undefined
      pools.push({ ...cheapest, count })
    }
    return plannedPools(new Map([['', pools]]), { zones: [], spotShare: 0, splitsArm: false })
  }
}

const roundingUsd = 1e-9

const noRoom =
  'With the recommended sizes, the pods leave less headroom on the current nodes than requested, or no room for one more of the largest pods that a roll-out starts, so no node can be removed.'

function whyKept({ gpuCount, usageType }: Offer, hasGpus: boolean): string | undefined {
  if (gpuCount > 0 && !hasGpus)
    return 'Nodes with accelerators stay as they are: no pod on them is known to request one.'
  return usageType === 'RESERVED'
    ? 'Reserved nodes stay as they are: removing them saves nothing before their term ends.'
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
