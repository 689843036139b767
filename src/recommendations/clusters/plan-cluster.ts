import type { Offer } from '../../domain/offer.ts'
import type { Provider } from '../../domain/provider.ts'
import { confidenceOfDays } from '../../domain/recommendation.ts'
import { maxWorthwhilePriceRatio } from '../../pricing/compare/options.ts'
import type { Market } from '../../pricing/market.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { ClusterNodes, CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import { NodeSizes } from './node-sizes.ts'
import { type ClusterRules, candidatePools, type OfferedPool, poolsOf } from './offered-pools.ts'
import type { ClusterPods, PodsOnNodes } from './packing/cluster-pods.ts'
import { holdsPods } from './packing/fewer-nodes.ts'
import {
  keepPools,
  type PlannedPools,
  type PoolLimits,
  type PoolOption,
  planPools,
  poolOptions,
} from './packing/plan-pools.ts'
import type { PodGroup } from './packing/pods.ts'
import { missingFacts, planNotes } from './plan-remarks.ts'

/** Maximum number of workloads without a node that are named, largest first. */
export const maxUnplaced = 20

/** Ordered by effort, lowest first. */
export const clusterEfforts = ['fewer', 'resize'] as const
export type ClusterEffort = (typeof clusterEfforts)[number]

export type ClusterOption = PoolOption<OfferedPool, ClusterEffort>

/** What is known about a cluster, and what its nodes could be. */
export interface ClusterPlan {
  readonly pods: ClusterPods
  /** Nodes at the end of the window, by type. */
  readonly nodes: ReadonlyMap<CurrentNodeType, number>
  /** Null if the price of a node is unknown. */
  readonly perMonthUsd: number | null
  readonly lowerBoundUsd: number | null
  /** 0 to 1. */
  readonly confidence: number
  readonly options: readonly ClusterOption[]
  readonly unplaced: readonly PodGroup[]
  /** Why there are no options; otherwise empty. */
  readonly reasons: readonly string[]
  readonly notes: readonly string[]
}

/** Prices, and what providers declare about nodes. */
interface NodeMarket {
  readonly market: Market
  findProvider(name: string): Provider | undefined
}

export async function planCluster(
  { market, findProvider }: NodeMarket,
  known: ClusterNodes,
  pods: ClusterPods,
  rules: ClusterRules & { readonly fromHour: number; readonly untilHour: number },
  yielder: Yielder,
): Promise<ClusterPlan> {
  const alive = [...known.values()].filter((node) => pods.hasAtEnd(node))
  const nodes = new Map<CurrentNodeType, number>()
  for (const { type } of alive) nodes.set(type, (nodes.get(type) ?? 0) + 1)
  const unreported = [...pods.nodes].filter((name) => !known.has(name)).length
  const perMonthUsd = unreported > 0 ? null : sumUsd(nodes)
  const reasons = missingFacts(pods, alive, unreported, rules.untilHour)
  const confidence = Math.min(pods.confidence, confidenceOfDays(pods.measuredHours / 24))
  const noPlan = {
    pods,
    nodes,
    perMonthUsd,
    lowerBoundUsd: null,
    confidence: 0,
    options: [],
    unplaced: [],
    notes: [],
  }
  if (reasons.length > 0 || perMonthUsd === null) return { ...noPlan, reasons }
  const sizes = new NodeSizes(findProvider, [...nodes.keys()], rules.podsPerNode)
  const busiest = pods.busiestHour()
  // A cluster that had more nodes then has an autoscaler that adds them.
  const isAutoscaled =
    busiest !== undefined && nodesIn(known, rules.fromHour + busiest) > (1 + autoscaledShare) * alive.length
  const busiestHour = isAutoscaled ? undefined : busiest
  const workers = alive.filter(({ name }) => !pods.controlPlane.has(name))
  const plans: GroupPlan[] = []
  const groups = largestGroupFirst(workers)
  for (const members of groups) {
    // A pod whose node was not reported can be on any node; it counts in the largest group.
    const types = new Set([...members.map(({ type }) => type.key), ...(plans.length === 0 ? [''] : [])])
    plans.push(await planGroup(market, { nodes: members, types, pods, sizes, busiestHour }, rules, yielder))
  }
  if (workers.length < alive.length)
    plans.push(
      keepControlPlane(
        poolsOf(
          alive.filter(({ name }) => pods.controlPlane.has(name)),
          sizes,
        ),
      ),
    )
  // An option is left out if it saves less than one percent more than an easier one.
  const options = await finishWork(
    poolOptions(plans, clusterEfforts, perMonthUsd, maxWorthwhilePriceRatio),
    yielder,
  )
  return {
    ...noPlan,
    confidence,
    lowerBoundUsd: plans.reduce((sum, plan) => sum + plan.lowerBoundUsd, 0),
    options,
    unplaced: plans.flatMap(({ unplaced }) => unplaced),
    reasons: options.length > 0 ? [] : whyNoOptions(groups, rules),
    notes: [
      ...new Set(plans.flatMap(({ notes }) => notes)),
      sizes.note,
      ...planNotes(known, pods, { hasOptions: options.length > 0, isAutoscaled }),
    ],
  }
}

/** Fewer nodes may fit the pods; the second reason says why there are not fewer. */
const whyNoOptions = (groups: readonly (readonly CurrentNode[])[], { minNodes }: ClusterRules): string[] => [
  'No cheaper nodes were found that fit the pods.',
  ...(groups.some(({ length }) => length > 1 && length <= minNodes)
    ? [`${minNodes} nodes or fewer that can take each other's pods are not reduced (min_nodes).`]
    : []),
]

const autoscaledShare = 0.1

const nodesIn = (known: ClusterNodes, hour: number): number =>
  [...known.values()].filter(({ firstHour, lastHour }) => firstHour <= hour && lastHour >= hour).length

function largestGroupFirst(nodes: readonly CurrentNode[]): (readonly CurrentNode[])[] {
  const coresOf = (members: readonly CurrentNode[]) => members.reduce((sum, { type }) => sum + type.cores, 0)
  return [...Map.groupBy(nodes, ({ type }) => type.group).values()].sort((a, b) => coresOf(b) - coresOf(a))
}

function sumUsd(nodes: ReadonlyMap<CurrentNodeType, number>): number | null {
  let sum = 0
  for (const [{ perMonthUsd }, count] of nodes) {
    if (perMonthUsd === null) return null
    sum += count * perMonthUsd
  }
  return sum
}

/** Possible changes of nodes of a cluster that can take each other's pods. */
interface GroupPlan extends PlannedPools<OfferedPool> {
  readonly notes: readonly string[]
}

interface NodeGroup {
  /** All of them have an offer. */
  readonly nodes: readonly CurrentNode[]
  /** The types of nodes whose pods run on these nodes. */
  readonly types: ReadonlySet<string>
  readonly pods: ClusterPods
  readonly sizes: NodeSizes
  /** Undefined if the end is the busiest, or if nodes are added for busy hours. */
  readonly busiestHour: number | undefined
}

async function planGroup(
  market: Market,
  { nodes, types, pods, sizes, busiestHour }: NodeGroup,
  asked: ClusterRules,
  yielder: Yielder,
): Promise<GroupPlan> {
  const current = poolsOf(nodes, sizes)
  const zones = new Set(nodes.flatMap(({ type }) => [...type.zones]))
  const limits = {
    headroom: asked.headroom,
    minNodes: Math.min(asked.minNodes, nodes.length),
    maxPools: asked.maxPools,
    ...(zones.size > 0 ? { zones: [...zones].sort() } : {}),
  }
  const counts = { nodes: nodes.length, minNodes: limits.minNodes }
  const atEnd = pods.podsOnTypes(types, counts, 'recommended')
  const busiest =
    busiestHour === undefined ? undefined : pods.podsOnTypes(types, counts, 'recommended', busiestHour)
  const onNodes = {
    recommended: busiest ?? atEnd,
    current: pods.podsOnTypes(types, counts, 'current', busiestHour),
  }
  const { offer } = current[0]!
  const keptBecause = whyKept(offer)
  if (keptBecause !== undefined) return { ...keepPools(current), pods: onNodes, limits, notes: [keptBecause] }
  const candidates = candidatePools(market, current, sizes)
  const planFor = (needed: PodsOnNodes) => finishWork(planPools(needed, current, candidates, limits), yielder)
  let plan = await planFor(onNodes.recommended)
  // Nodes for the busiest hour must also hold what runs at the end, which may be other pods.
  for (const pools of [plan.fewer, plan.resize])
    if (busiest !== undefined && !(await finishWork(holdAt(atEnd, pools, limits), yielder))) {
      onNodes.recommended = { groups: mostOf(atEnd.groups, busiest.groups), everywhere: atEnd.everywhere }
      plan = await planFor(onNodes.recommended)
      break
    }
  const notes = [
    ...notesOn(offer, plan.hasRoom || plan.unplaced.length > 0),
    ...(plan.isCut ? ['Not all numbers of nodes were tried: there may be cheaper ones.'] : []),
  ]
  return { ...plan, pods: onNodes, limits, notes }
}

/** Keeps the control plane of a self-managed cluster. Managed control planes are not visible in metrics. */
const keepControlPlane = (pools: readonly OfferedPool[]): GroupPlan => ({
  ...keepPools(pools),
  pods: undefined,
  limits: { headroom: 0, minNodes: 0, maxPools: 1 },
  notes: ['Control plane nodes stay as they are.'],
})

function whyKept({ gpuCount, usageType }: Offer): string | undefined {
  if (gpuCount > 0) return 'Nodes with accelerators stay as they are: requests of GPUs are not considered.'
  return usageType === 'RESERVED'
    ? 'Reserved nodes stay as they are: removing them saves nothing before their term ends.'
    : undefined
}

const notesOn = ({ usageType }: Offer, hasRoom: boolean): string[] => [
  ...(usageType === 'SPOT_PREEMPTIBLE'
    ? ['Spot nodes keep their types: the spot price of another type can change at any time.']
    : []),
  ...(hasRoom
    ? []
    : [
        'With the recommended sizes, the pods leave less headroom on the current nodes than requested, or no room for one more of the largest pods that a roll-out starts, so no node can be removed.',
      ]),
]

const holdAt = ({ groups, everywhere }: PodsOnNodes, pools: readonly OfferedPool[], limits: PoolLimits) =>
  holdsPods(groups, pools, { ...limits, everywhere })

/** Returns each group with the larger of its two numbers of pods. */
function mostOf(some: readonly PodGroup[], others: readonly PodGroup[]): PodGroup[] {
  const groups = new Map(some.map((group) => [group.name, group]))
  for (const group of others)
    if (group.count > (groups.get(group.name)?.count ?? 0)) groups.set(group.name, group)
  return [...groups.values()]
}

async function finishWork<Result>(work: Generator<undefined, Result>, yielder: Yielder): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value as Result
    if (yielder.isDue) await yielder.pause()
  }
}
