import { noteOn } from '../../allocation/node-prices.ts'
import { poolsPerMonthUsd } from '../../node-pools/node-type.ts'
import type { PodGroup } from '../../node-pools/pods.ts'
import { confidenceOfDays } from '../../rightsizing/adjustments/confidence.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { worthChanging } from '../compare/options.ts'
import type { Market } from '../pricing/deps.ts'
import { minWatchedHours } from '../recommend-machines/rehost.ts'
import type { ClusterNodes, CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import { addResources, type ClusterPods, noResources, type ResourceSum } from './cluster-pods.ts'
import { type ClusterRules, type GroupPlan, type OfferedPool, planGroup } from './pool-plan.ts'

/** In order of what it takes to take them up. */
export const clusterEfforts = ['fewer', 'resize'] as const
export type ClusterEffort = (typeof clusterEfforts)[number]

export interface ClusterOption {
  readonly effort: ClusterEffort
  readonly pools: readonly OfferedPool[]
  readonly perMonthUsd: number
  readonly savingsUsd: number
  /** Whether the pods fit only with their recommended sizes. */
  readonly needsSizes: boolean
  /** Shares of all cores and of all memory that the pods ask for with these sizes. */
  readonly requested: ResourceSum
}

/** What is known of a cluster, and what its nodes could be. */
export interface ClusterPlan {
  readonly pods: ClusterPods
  /** Nodes at the end of the window, by type. */
  readonly nodes: ReadonlyMap<CurrentNodeType, number>
  /** Null where the price of a node is not known. */
  readonly perMonthUsd: number | null
  readonly lowerBoundUsd: number | null
  /** 0 to 1. */
  readonly confidence: number
  readonly options: readonly ClusterOption[]
  readonly unplaced: readonly PodGroup[]
  /** Why there are no options; empty where there are. */
  readonly reasons: readonly string[]
  readonly notes: readonly string[]
}

export async function recommendCluster(
  market: Market,
  known: ClusterNodes,
  pods: ClusterPods,
  rules: ClusterRules,
  yielder: Yielder,
): Promise<ClusterPlan> {
  const alive = nodesAtEnd(known, pods)
  const nodes = new Map<CurrentNodeType, number>()
  for (const { type } of alive) nodes.set(type, (nodes.get(type) ?? 0) + 1)
  const unreported = [...pods.nodes].filter((name) => !known.has(name)).length
  const perMonthUsd = unreported > 0 ? null : sumUsd(nodes)
  const reasons = missingFacts(pods, alive, unreported)
  const confidence = Math.min(pods.confidence, confidenceOfDays(pods.measuredHours / 24))
  const noPlan = {
    ...{ pods, nodes, perMonthUsd, lowerBoundUsd: null },
    ...{ confidence: 0, options: [], unplaced: [], notes: [] },
  }
  if (reasons.length > 0 || perMonthUsd === null) return { ...noPlan, reasons }
  const groups = Map.groupBy(alive, ({ type }) => type.group)
  const plans: GroupPlan[] = []
  for (const members of groups.values()) plans.push(await planGroup(market, members, pods, rules, yielder))
  const options = await optionsOf(plans, perMonthUsd)
  return {
    ...noPlan,
    confidence,
    lowerBoundUsd: plans.reduce((sum, plan) => sum + plan.lowerBoundUsd, 0),
    options,
    unplaced: plans.flatMap(({ unplaced }) => unplaced),
    reasons: options.length > 0 ? [] : ['Nothing that was found holds the pods for less.'],
    notes: [...new Set(plans.flatMap(({ notes }) => notes)), ...notesOn(known, pods, options)],
  }
}

/** Nodes that were seen in the last hours, or that pods run on. */
function nodesAtEnd(known: ClusterNodes, { nodes, endAt }: ClusterPods): CurrentNode[] {
  const endHour = Math.floor(endAt / 3600)
  return [...known.values()].filter(
    ({ name, firstHour, lastHour }) => nodes.has(name) || (firstHour <= endHour && lastHour >= endHour - 1),
  )
}

function sumUsd(nodes: ReadonlyMap<CurrentNodeType, number>): number | null {
  let sum = 0
  for (const [{ perMonthUsd }, count] of nodes) {
    if (perMonthUsd === null) return null
    sum += count * perMonthUsd
  }
  return sum
}

function missingFacts(
  { measuredHours }: ClusterPods,
  nodes: readonly CurrentNode[],
  unreported: number,
): string[] {
  const unlisted = nodes.filter(({ type }) => type.offer === undefined)
  const withoutType = unreported + unlisted.filter(({ type }) => type.cost.missing === 'instance type').length
  const withoutPrice = unlisted.filter(({ type }) => type.cost.missing === 'price').length
  const byMetric = unlisted.filter(({ type }) => type.cost.source === 'metric').length
  return [
    ...(measuredHours < minWatchedHours
      ? [
          `Too little data: the cluster was measured for ${measuredHours} ${measuredHours === 1 ? 'hour' : 'hours'}, and at least ${minWatchedHours} are needed.`,
        ]
      : []),
    ...(nodes.length + unreported === 0 ? ['No node of the cluster is known.'] : []),
    ...(withoutType > 0 ? [noteOn('instance type', withoutType)] : []),
    ...(withoutPrice > 0 ? [noteOn('price', withoutPrice)] : []),
    ...(byMetric > 0
      ? [
          `${byMetric === 1 ? 'The price of one node is' : `The prices of ${byMetric} nodes are`} known from metrics alone, so that there is no list of other types to compare with.`,
        ]
      : []),
  ]
}

/** An option that saves less than a percent more than an easier one is left out. */
async function optionsOf(plans: readonly GroupPlan[], nowUsd: number): Promise<ClusterOption[]> {
  const options: ClusterOption[] = []
  let easiestUsd = nowUsd
  for (const effort of clusterEfforts) {
    const pools = plans.flatMap((plan) => plan[effort])
    const perMonthUsd = poolsPerMonthUsd(pools)
    if (perMonthUsd >= worthChanging * easiestUsd) continue
    options.push({
      ...{ effort, pools, perMonthUsd, savingsUsd: nowUsd - perMonthUsd },
      needsSizes: !(await haveRoomNow(plans, effort)),
      requested: requestedShares(plans, effort),
    })
    easiestUsd = perMonthUsd
  }
  return options
}

async function haveRoomNow(plans: readonly GroupPlan[], effort: ClusterEffort): Promise<boolean> {
  for (const plan of plans) if (!(await plan.holdsNow(plan[effort]))) return false
  return true
}

function requestedShares(plans: readonly GroupPlan[], effort: ClusterEffort): ResourceSum {
  const [requested, all] = [noResources(), noResources()]
  for (const plan of plans) {
    addResources(requested, plan.requestedOn(plan[effort]))
    for (const { type, count } of plan[effort]) addResources(all, type, count)
  }
  return { cores: requested.cores / all.cores, gib: requested.gib / all.gib }
}

const oftenHigher = 1.25

function notesOn(known: ClusterNodes, pods: ClusterPods, options: readonly ClusterOption[]): string[] {
  const endHour = Math.floor(pods.endAt / 3600)
  const comesOrGoes = ({ name, firstHour, lastHour }: CurrentNode): boolean =>
    !pods.nodes.has(name) && lastHour >= pods.firstHour && lastHour < endHour - 1
      ? true
      : firstHour > pods.firstHour + 1 && firstHour <= endHour
  return [
    ...([...known.values()].some(comesOrGoes)
      ? ['Nodes came or went in this period: their number may vary.']
      : []),
    ...(pods.highest > oftenHigher * pods.running
      ? [
          `${pods.running} pods run at the end of this period, and up to ${pods.highest} may have run at other times: let an autoscaler add nodes, or end the period at a busy hour.`,
        ]
      : []),
    ...(options.length > 0
      ? ['Affinity, taints and volumes of pods are not known: make sure that they allow it.']
      : []),
  ]
}
