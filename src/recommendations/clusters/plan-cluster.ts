import { dollars, round } from '../../domain/money.ts'
import type { NodePlacement } from '../../domain/node-placement.ts'
import { confidenceOfDays } from '../../domain/recommendation.ts'
import { hourSeconds } from '../../domain/time.ts'
import { maxWorthwhilePriceRatio } from '../../pricing/compare/options.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { ClusterNodes, CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import type { ClusterOption, ClusterPlan, ZonedPool } from './cluster-plan.ts'
import type { ClusterRules } from './cluster-rules.ts'
import { NodeSizes } from './node-sizes.ts'
import { nodeWeekOf, withSteadyNodes } from './node-week.ts'
import { type OfferedPool, placesAround } from './offered-pools.ts'
import { addResources, type ClusterPods, noResources, type ResourceSum } from './packing/cluster-pods.ts'
import { poolsPerMonthUsd, weekHours } from './packing/node-type.ts'
import type { PlannedPools } from './packing/plan-parts.ts'
import { sumOfPods } from './packing/pods.ts'
import { GroupPlanner, type NodeGroup, type PlanTarget } from './plan-group.ts'
import { assumptionNotes, missingFacts, planNotes } from './plan-remarks.ts'

/** Prices, and what providers declare about nodes. */
export interface NodeMarket extends Pick<PricingDeps, 'providers' | 'findProvider'> {
  readonly market: Market
}

type Rules = ClusterRules & { readonly fromHour: number; readonly untilHour: number }

export async function planCluster(
  deps: NodeMarket,
  known: ClusterNodes,
  pods: ClusterPods,
  rules: Rules,
  yielder: Yielder,
): Promise<ClusterPlan> {
  const { alive, control, week } = nodesNow(known, pods, rules)
  const nodes = new Map<CurrentNodeType, number>()
  for (const { type } of alive) nodes.set(type, (nodes.get(type) ?? 0) + 1)
  const unreported = [...pods.nodes].filter((name) => !known.has(name)).length
  const atEndUsd = unreported > 0 ? null : sumUsd(alive)
  const perMonthUsd = atEndUsd === null || week === undefined ? atEndUsd : week.perMonthUsd + sumUsd(control)!
  const reasons = missingFacts(pods, alive, unreported, rules.untilHour)
  const confidence = Math.min(pods.confidence, confidenceOfDays(pods.measuredHours / 24))
  const none = { options: [], recommended: undefined, unplaced: [], notes: [] }
  const plan = { pods, nodes, week: week && withSteadyNodes(week, control), perMonthUsd, confidence, ...none }
  if (reasons.length > 0 || perMonthUsd === null)
    return { ...plan, lowerBoundUsd: null, confidence: 0, reasons }
  const busiest = pods.busiestHour()
  // Nodes that were more only once may have been removed for good, or an autoscaler removes them seldom.
  const wasLarger =
    busiest !== undefined &&
    week === undefined &&
    nodesIn(known, rules.fromHour + busiest) > (1 + autoscaledShare) * alive.length
  const sizes = new NodeSizes(
    deps.findProvider,
    [...new Set([...nodes.keys(), ...(week?.byType.keys() ?? [])])],
    rules.podsPerNode,
  )
  const present = week === undefined ? alive : [...known.values()].filter(({ type }) => week.byType.has(type))
  const workers = largestGroupFirst(present.filter(({ name }) => !pods.controlPlane.has(name)))
  const shared = { pods, sizes, busiestHour: wasLarger ? undefined : busiest }
  const groups = plannersOf(deps, workers, { ...shared, week }, rules)
  if (control.length > 0)
    groups.push(
      new GroupPlanner(
        deps.market,
        { nodes: control, types: new Set<string>(), ...shared },
        rules,
        'Control plane nodes stay as they are.',
      ),
    )
  for (const group of groups) await finish(group.prepare(), yielder)
  const unplaced = groups.flatMap((group) => group.unplaced)
  const planner = new OptionPlanner(deps, groups, rules, yielder)
  const options = await planner.plan(perMonthUsd, unplaced.length > 0)
  return {
    ...plan,
    lowerBoundUsd: groups.reduce((sum, group) => sum + group.boundUsd(), 0),
    options,
    recommended: options.findLast(
      ({ effort, spotShare }) => spotShare === 0 && (effort === 'fewer' || effort === 'resize'),
    ),
    unplaced,
    reasons: options.length > 0 ? [] : whyNoOptions(workers, rules),
    notes: [
      ...new Set(groups.flatMap(({ notes }) => notes)),
      sizes.note,
      ...planNotes(known, pods, {
        hasOptions: options.length > 0,
        wasLarger,
        isAutoscaled: week !== undefined,
      }),
      ...planner.notes,
      ...assumptionNotes(options, rules),
    ],
  }
}

function nodesNow(known: ClusterNodes, pods: ClusterPods, { fromHour, untilHour }: Rules) {
  const alive = [...known.values()].filter((node) => pods.hasAtEnd(node))
  const measured = {
    start: fromHour,
    from: pods.firstHour > fromHour ? pods.firstHour + 1 : fromHour,
    to: Math.min(untilHour, Math.floor((pods.endAt + settledSeconds) / hourSeconds)),
  }
  const control = alive.filter(({ name }) => pods.controlPlane.has(name))
  return { alive, control, week: nodeWeekOf(known, measured, pods) }
}

/** A planner for each group of nodes; pods use the free room of reserved nodes first. */
function plannersOf(
  { market }: NodeMarket,
  workers: readonly (readonly CurrentNode[])[],
  shared: Omit<NodeGroup, 'nodes' | 'types'>,
  rules: Rules,
): GroupPlanner[] {
  const described = workers.map((members, index): NodeGroup => {
    // A pod whose node was not reported can be on any node; it counts in the largest group.
    const types = new Set([...members.map(({ type }) => type.key), ...(index === 0 ? [''] : [])])
    return { ...shared, nodes: shared.week?.atPeak(members) ?? members, types }
  })
  const reserved = new Map(
    described.filter(isReserved).map((group) => [kindOf(group), new GroupPlanner(market, group, rules)]),
  )
  return described.map((group) => {
    const alike = reserved.get(kindOf(group))
    return alike !== undefined && isReserved(group)
      ? alike
      : new GroupPlanner(market, { ...group, reserved: alike }, rules)
  })
}

/** Fewer nodes may fit the pods; the second reason says why there are not fewer. */
const whyNoOptions = (groups: readonly (readonly CurrentNode[])[], { minNodes }: ClusterRules): string[] => [
  'No cheaper nodes were found that fit the pods.',
  ...(groups.some(({ length }) => length > 1 && length <= minNodes)
    ? [`${minNodes} nodes or fewer that can take each other's pods are not reduced (min_nodes).`]
    : []),
]

function whyNowhereElse(
  places: readonly { readonly name: string; readonly usd: number }[],
  { minGain }: ClusterRules,
): string {
  const [best] = places.toSorted((a, b) => a.usd - b.usd)
  return best === undefined
    ? 'No other region or provider of the same continent has nodes that hold all pods.'
    : `No other region or provider of the same continent costs ${round(100 * minGain, 1)}% less than the cheapest option here: ${best.name} would cost ${dollars(best.usd)} a month.`
}

const isReserved = ({ nodes }: NodeGroup): boolean => nodes[0]!.type.offer!.usageType === 'RESERVED'

/** The same for nodes that are reserved and those that are paid on demand. */
const kindOf = ({ nodes }: NodeGroup): string => nodes[0]!.type.group.replace(/"(RESERVED|ONDEMAND)"/, '""')

async function finish<Result>(work: Generator<undefined, Result>, yielder: Yielder): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value as Result
    if (yielder.isDue) await yielder.pause()
  }
}

const autoscaledShare = 0.1
/** As much of an hour may be without samples at its end. */
const settledSeconds = 900

const nodesIn = (known: ClusterNodes, hour: number): number =>
  [...known.values()].filter(({ firstHour, lastHour }) => firstHour <= hour && lastHour >= hour).length

function largestGroupFirst(nodes: readonly CurrentNode[]): (readonly CurrentNode[])[] {
  const coresOf = (members: readonly CurrentNode[]) => members.reduce((sum, { type }) => sum + type.cores, 0)
  return [...Map.groupBy(nodes, ({ type }) => type.group).values()].sort((a, b) => coresOf(b) - coresOf(a))
}

function sumUsd(nodes: readonly CurrentNode[]): number | null {
  let sum = 0
  for (const { type } of nodes) {
    if (type.perMonthUsd === null) return null
    sum += type.perMonthUsd
  }
  return sum
}

type Pools = readonly PlannedPools<OfferedPool>[]

/** Plans all groups of a cluster for each target, easiest first. */
class OptionPlanner {
  readonly #deps: NodeMarket
  readonly #groups: readonly GroupPlanner[]
  readonly #rules: ClusterRules
  readonly #yielder: Yielder
  readonly #options: ClusterOption[] = []
  readonly notes: string[] = []

  constructor(deps: NodeMarket, groups: readonly GroupPlanner[], rules: ClusterRules, yielder: Yielder) {
    this.#deps = deps
    this.#groups = groups
    this.#rules = rules
    this.#yielder = yielder
  }

  /** An option is left out unless it costs less than an easier one, by the wanted share if types change. */
  async plan(currentUsd: number, isAnyUnplaced: boolean): Promise<ClusterOption[]> {
    const fewer: PlannedPools<OfferedPool>[] = []
    for (const group of this.#groups) fewer.push(await finish(group.fewer(), this.#yielder))
    await this.#add({ effort: 'fewer', spotShare: 0 }, fewer, currentUsd, maxWorthwhilePriceRatio)
    if (isAnyUnplaced) return this.#options
    const elsewhere: { readonly name: string; readonly usd: number }[] = []
    for (const target of await this.#targets()) {
      const { place } = target
      const planned: PlannedPools<OfferedPool>[] = []
      for (const [index, group] of this.#groups.entries()) {
        const pools = await finish(group.plan(target, fewer[index]!), this.#yielder)
        if (pools !== undefined) planned.push(pools)
      }
      if (planned.length < this.#groups.length) continue
      await this.#add(target, planned, currentUsd, 1 - this.#rules.minGain)
      if (place !== undefined) {
        const name = `${this.#deps.findProvider(place.provider)?.displayName ?? place.provider} ${place.region}`
        elsewhere.push({ name, usd: planned.reduce((sum, { perMonthUsd }) => sum + perMonthUsd, 0) })
      }
    }
    if (
      this.#rules.elsewhere &&
      this.#options.every(({ effort }) => effort === 'fewer' || effort === 'resize')
    )
      this.notes.push(whyNowhereElse(elsewhere, this.#rules))
    return this.#options
  }

  /** Here, in the region and with the provider whose bounds are lowest; each on demand and with spot. */
  async #targets(): Promise<PlanTarget[]> {
    const { spotShare, elsewhere } = this.#rules
    const places: PlanTarget[] = [{ effort: 'resize', spotShare: 0 }]
    const first = this.#groups[0]!.current[0]!.offer
    const names = this.#deps.providers.map(({ key }) => key)
    const bounds: { readonly place: NonNullable<PlanTarget['place']>; readonly usd: number }[] = []
    for (const place of elsewhere ? placesAround(this.#deps.market, names, first) : []) {
      const usd = this.#groups.reduce((sum, group) => sum + group.boundUsd(place), 0)
      if (Number.isFinite(usd)) bounds.push({ place, usd })
      if (this.#yielder.isDue) await this.#yielder.pause()
    }
    bounds.sort((a, b) => a.usd - b.usd)
    const cheapest = (accepts: (provider: string) => boolean) =>
      bounds.find(({ place }) => accepts(place.provider))?.place
    const region = cheapest((provider) => provider === first.provider)
    const isManaged = (name: string) => this.#deps.findProvider(name)?.kubernetes !== undefined
    const managed = cheapest((name) => name !== first.provider && isManaged(name))
    const other = cheapest((name) => name !== first.provider && !isManaged(name))
    if (region !== undefined) places.push({ effort: 'region', place: region, spotShare: 0 })
    for (const place of [managed, other])
      if (place !== undefined) places.push({ effort: 'provider', place, spotShare: 0 })
    return places.flatMap((place) => (spotShare > 0 ? [place, { ...place, spotShare }] : [place]))
  }

  async #add(target: PlanTarget, planned: Pools, currentUsd: number, ratio: number): Promise<void> {
    const pools = planned.flatMap(({ pools }, index) => mergedPools(pools, this.#groups[index]!.placement))
    const perMonthUsd = poolsPerMonthUsd(pools)
    // Spot is compared with all that is easier, what is paid as now only with its like.
    const easier = this.#options.filter(({ spotShare }) => spotShare <= target.spotShare)
    const leastUsd = Math.min(currentUsd, ...easier.map((option) => option.perMonthUsd))
    if (perMonthUsd > ratio * leastUsd + 1e-9) return
    let needsSizes = false
    for (const [index, group] of this.#groups.entries())
      needsSizes ||= !(await finish(group.holdsCurrentSizes(planned[index]!), this.#yielder))
    const { effort, spotShare } = target
    const id = [
      effort,
      ...(effort === 'provider' ? [target.place!.provider] : []),
      ...(spotShare > 0 ? ['spot'] : []),
    ]
    const savingsUsd = currentUsd - perMonthUsd
    const requested = this.#requestedOn(planned)
    this.#options.push({
      id: id.join('-'),
      effort,
      spotShare,
      pools,
      perMonthUsd,
      savingsUsd,
      needsSizes,
      requested,
    })
  }

  #requestedOn(planned: Pools): ResourceSum {
    const [requested, all] = [noResources(), noResources()]
    for (const [index, { pods }] of this.#groups.entries()) {
      if (pods.groups.length === 0) continue
      addResources(requested, sumOfPods(pods.groups))
      for (const { type, count } of planned[index]!.pools) {
        addResources(requested, pods.everywhere, count)
        addResources(all, type, count)
      }
    }
    return { cores: requested.cores / (all.cores || 1), gib: requested.gib / (all.gib || 1) }
  }
}

/** Nodes of one type in several zones are one pool. */
function mergedPools(pools: readonly OfferedPool[], placement: NodePlacement): ZonedPool[] {
  return [...Map.groupBy(pools, ({ offer }) => offer).values()].map((same) => ({
    type: same[0]!.type,
    offer: same[0]!.offer,
    placement,
    count: same.reduce((sum, { count }) => sum + count, 0),
    zones: new Map(same.flatMap(({ zone, count }) => (zone === undefined ? [] : [[zone, count]]))),
    ...overWeek(same),
  }))
}

/** Pools that an autoscaler changes, added up; a pool that it does not change is there all the time. */
function overWeek(pools: readonly OfferedPool[]): Pick<OfferedPool, 'fewest' | 'mean' | 'byHour'> {
  if (pools.every(({ byHour }) => byHour === undefined)) return {}
  const byHour = new Float64Array(weekHours)
  for (const pool of pools)
    for (let hour = 0; hour < weekHours; hour++) byHour[hour]! += pool.byHour?.[hour] ?? pool.count
  const fewest = pools.reduce((sum, { count, fewest = count }) => sum + fewest, 0)
  return { byHour, fewest, mean: pools.reduce((sum, { count, mean = count }) => sum + mean, 0) }
}
