import { worthChanging } from '../../market/comparison/options.ts'
import type { Market } from '../../market/deps.ts'
import {
  addResources,
  type ClusterPods,
  noResources,
  type ResourceSum,
} from '../../node-pools/cluster-pods.ts'
import { poolsPerMonthUsd } from '../../node-pools/node-type.ts'
import type { PodGroup } from '../../node-pools/pods.ts'
import { confidenceOfDays } from '../../rightsizing/forecast-workload.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { ClusterNodes, CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import type { ClusterRules, OfferedPool } from './offered-pools.ts'
import { missingFacts, planNotes } from './plan-remarks.ts'
import { type GroupPlan, keepControlPlane, planGroup } from './pool-plan.ts'

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
  rules: ClusterRules & { readonly untilHour: number },
  yielder: Yielder,
): Promise<ClusterPlan> {
  const alive = nodesAtEnd(known, pods)
  const nodes = new Map<CurrentNodeType, number>()
  for (const { type } of alive) nodes.set(type, (nodes.get(type) ?? 0) + 1)
  const unreported = [...pods.nodes].filter((name) => !known.has(name)).length
  const perMonthUsd = unreported > 0 ? null : sumUsd(nodes)
  const reasons = missingFacts(pods, alive, unreported, rules.untilHour)
  const confidence = Math.min(pods.confidence, confidenceOfDays(pods.measuredHours / 24))
  const noPlan = {
    ...{ pods, nodes, perMonthUsd, lowerBoundUsd: null },
    ...{ confidence: 0, options: [], unplaced: [], notes: [] },
  }
  if (reasons.length > 0 || perMonthUsd === null) return { ...noPlan, reasons }
  const workers = alive.filter(({ name }) => !pods.controlPlane.has(name))
  const plans: GroupPlan[] = []
  for (const members of largestGroupFirst(workers)) {
    // A pod whose node was not reported can be on any; it counts in the largest group.
    const types = new Set([...members.map(({ type }) => type.key), ...(plans.length === 0 ? [''] : [])])
    plans.push(await planGroup(market, { nodes: members, types, pods }, rules, yielder))
  }
  if (workers.length < alive.length)
    plans.push(keepControlPlane(alive.filter(({ name }) => pods.controlPlane.has(name))))
  const options = await optionsOf(plans, perMonthUsd)
  return {
    ...noPlan,
    confidence,
    lowerBoundUsd: plans.reduce((sum, plan) => sum + plan.lowerBoundUsd, 0),
    options,
    unplaced: plans.flatMap(({ unplaced }) => unplaced),
    reasons: options.length > 0 ? [] : ['Nothing that was found holds the pods for less.'],
    notes: [...new Set(plans.flatMap(({ notes }) => notes)), ...planNotes(known, pods, options.length > 0)],
  }
}

function largestGroupFirst(nodes: readonly CurrentNode[]): (readonly CurrentNode[])[] {
  const coresOf = (members: readonly CurrentNode[]) => members.reduce((sum, { type }) => sum + type.cores, 0)
  return [...Map.groupBy(nodes, ({ type }) => type.group).values()].sort((a, b) => coresOf(b) - coresOf(a))
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
      needsSizes: (await Promise.all(plans.map((plan) => plan.holdsNow(plan[effort])))).includes(false),
      requested: requestedShares(plans, effort),
    })
    easiestUsd = perMonthUsd
  }
  return options
}

function requestedShares(plans: readonly GroupPlan[], effort: ClusterEffort): ResourceSum {
  const [requested, all] = [noResources(), noResources()]
  for (const plan of plans) {
    if (plan.isControlPlane) continue
    addResources(requested, plan.requestedOn(plan[effort]))
    for (const { type, count } of plan[effort]) addResources(all, type, count)
  }
  return { cores: requested.cores / all.cores, gib: requested.gib / all.gib }
}
