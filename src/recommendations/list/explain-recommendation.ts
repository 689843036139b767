import { usdOf } from '../../costs/allocation/spend.ts'
import { Problem } from '../../domain/problem.ts'
import { defaultClusterRules } from '../clusters/cluster-rules.ts'
import { recommendClusters } from '../clusters/recommend-clusters.ts'
import type { ClusterRecommendation } from '../clusters/schema.ts'
import { viewCluster } from '../clusters/view-cluster.ts'
import { viewSizes, viewUsd } from '../containers/answer/view-namespace.ts'
import type { ContainerContent, PricedContainer } from '../containers/namespace-draft.ts'
import type { ContainerRecommendation } from '../containers/schema.ts'
import { everyNamespace, sizeNamespaces } from '../containers/size-namespaces.ts'
import type { VmSummary } from '../machines/schema.ts'
import { summariseMachines } from '../machines/summarise-machines.ts'
import { hourText } from './collect-recommendations.ts'
import type { RecommendationList } from './list-codec.ts'
import type { RecommendationListDeps } from './list-recommendations.ts'
import { recordFrom, stateOf } from './rows/followed-recommendation.ts'
import { recommendationInForce, viewRecommendation } from './rows/shown-recommendation.ts'
import type { ExplainedRecommendation, Recommendation } from './schema.ts'

export async function explainRecommendation(
  deps: RecommendationListDeps,
  organisation: string,
  id: string,
  signal: AbortSignal,
): Promise<ExplainedRecommendation> {
  const list = await deps.lists.listOf(organisation, signal)
  const [stored] = await deps.store.recommendations.find(organisation, [id])
  const record = stored && recordFrom(stored)
  const listed = list.find(new Set([id])).get(id)
  const latest = listed ?? record?.recommendation
  if (latest === undefined) throw new Problem('not-found', 'No recommendation has this id.')
  const now = deps.now()
  const recommendation = recommendationInForce(latest, record, now)
  const state = record === undefined ? 'open' : stateOf(record, listed !== undefined, now)
  return {
    recommendation: viewRecommendation(recommendation, state, record, now, listed !== undefined),
    container: await containerOf(deps, organisation, recommendation, list, signal),
    machine: await machineOf(deps, organisation, recommendation, list, signal),
    nodes: await nodesOf(deps, organisation, recommendation, list, signal),
    start_date: hourText(list.hours.from),
    end_date: hourText(list.hours.to),
  }
}

async function containerOf(
  { sizes }: RecommendationListDeps,
  organisation: string,
  { kind, cluster, namespace, workload, container }: Recommendation,
  { hours }: RecommendationList,
  signal: AbortSignal,
): Promise<ContainerRecommendation | null> {
  if (kind !== 'container') return null
  const query = { ...everyNamespace, hours, cluster: cluster!, namespace: namespace!, explain: true }
  const key = `${workload}/${container}`
  for await (const draft of sizeNamespaces(sizes, organisation, query, () => new OneContainer(key), {
    signal,
  })) {
    const { found, index } = draft.content
    if (found !== undefined) return { ...viewSizes(found), NewSpend: viewUsd(usdOf(draft.newSpendAt(index))) }
  }
  return null
}

class OneContainer implements ContainerContent {
  readonly #key: string
  #count = 0
  found: PricedContainer | undefined
  index = 0

  constructor(key: string) {
    this.#key = key
  }

  add(container: PricedContainer): void {
    if (container.key === this.#key) {
      this.found = container
      this.index = this.#count
    }
    this.#count++
  }
}

async function machineOf(
  { machines }: RecommendationListDeps,
  organisation: string,
  { machine }: Recommendation,
  { hours }: RecommendationList,
  signal: AbortSignal,
): Promise<VmSummary | null> {
  if (machine === null) return null
  const period = { start_date: hourText(hours.from), end_date: hourText(hours.to) }
  const request = { vm: machine, include_rehost: true, ...period }
  const { items } = await summariseMachines(machines, organisation, request, signal)
  return items[0] ?? null
}

async function nodesOf(
  { sizes, machines: { pricing } }: RecommendationListDeps,
  organisation: string,
  { kind, cluster }: Recommendation,
  { hours }: RecommendationList,
  signal: AbortSignal,
): Promise<ClusterRecommendation | null> {
  if (kind !== 'cluster') return null
  const query = { hours, cluster: cluster!, rules: defaultClusterRules }
  const { market, plans, hour } = await recommendClusters({ sizes, pricing }, organisation, query, signal)
  return plans[0] === undefined ? null : viewCluster(pricing, market, hours, plans[0], hour)
}
