import { roundSum } from '../../../domain/money.ts'
import { maxFacetValues } from '../../../domain/recommendation.ts'
import type { FacetValue, RealisedTotals, Recommendation, RecommendationTotals } from '../schema.ts'
import { type RecommendationRecord, realisedPerMonthUsd, realisedUsd } from './followed-recommendation.ts'
import {
  type FacetName,
  facetNames,
  type RecommendationFilter,
  type SelectedRecommendations,
} from './select-recommendations.ts'
import type { ShownRecommendation } from './shown-recommendation.ts'

/**
 * The cost of a container is its share of the price of nodes, and so are its savings: these are the same dollars that
 * its cluster saves through fewer or cheaper nodes. Clusters are added up separately, so that nothing counts twice.
 */
const isApart = ({ kind }: Pick<Recommendation, 'kind'>): boolean => kind === 'cluster'

/** `all` has also what a filter leaves out: savings within a plan of nodes that was accepted are no longer open. */
export function recommendationTotals(
  rows: readonly ShownRecommendation[],
  all: readonly ShownRecommendation[] = rows,
): RecommendationTotals {
  const sum = (of: (row: ShownRecommendation) => number) =>
    roundSum(rows.reduce((total, row) => total + of(row), 0))
  const others = ({ recommendation, worth }: ShownRecommendation) => (isApart(recommendation) ? 0 : worth)
  return {
    count: rows.length,
    worth_per_month: sum(others),
    estimated_per_month: sum((row) => (row.recommendation.is_estimate ? others(row) : 0)),
    nodes_per_month: sum((row) => (isApart(row.recommendation) ? row.worth : 0)),
    savings: savingsOf(rows, all),
  }
}

/**
 * The larger sum of each cluster counts: that of its nodes, which contains savings of containers, or of what runs on them.
 * Volumes are paid apart from both.
 */
function savingsOf(
  rows: readonly ShownRecommendation[],
  all: readonly ShownRecommendation[],
): RecommendationTotals['savings'] {
  const accepted = all.filter((row) => isApart(row.recommendation) && row.state === 'accepted')
  const acceptedUsd = new Map(accepted.map(({ recommendation, worth }) => [recommendation.cluster, worth]))
  const clusters = Map.groupBy(rows, ({ recommendation }) => recommendation.cluster)
  const parts = { nodes: 0, containers: 0, machines: 0, idle: 0, volumes: 0 }
  let [estimated, raises, raised] = [0, 0, 0]
  for (const [cluster, group] of clusters) {
    const [onNodes, inside] = [
      group.filter(({ recommendation }) => isApart(recommendation)),
      group.filter(({ recommendation }) => !isApart(recommendation)),
    ]
    for (const { worth } of inside) {
      if (worth >= 0) continue
      raises -= worth
      raised++
    }
    const [volumes, pods] = [
      inside.filter(({ recommendation }) => recommendation.kind === 'volume'),
      inside.filter(({ recommendation }) => recommendation.kind !== 'volume'),
    ]
    const nodesUsd = Math.max(savedUsd(onNodes), acceptedUsd.get(cluster) ?? 0)
    const counted = nodesUsd > savedUsd(pods) ? onNodes : pods
    for (const { recommendation, worth } of [...counted, ...volumes]) {
      if (worth <= 0) continue
      parts[partOf[recommendation.kind]] += worth
      if (recommendation.is_estimate) estimated += worth
    }
  }
  return {
    nodes_per_month: roundSum(parts.nodes),
    containers_per_month: roundSum(parts.containers),
    machines_per_month: roundSum(parts.machines),
    idle_per_month: roundSum(parts.idle),
    volumes_per_month: roundSum(parts.volumes),
    total_per_month: roundSum(Object.values(parts).reduce((sum, part) => sum + part, 0)),
    estimated_per_month: roundSum(estimated),
    raises_per_month: roundSum(raises),
    raises_count: raised,
  }
}

const partOf = {
  cluster: 'nodes',
  container: 'containers',
  machine: 'machines',
  idle: 'idle',
  volume: 'volumes',
} as const

const savedUsd = (rows: readonly ShownRecommendation[]): number =>
  rows.reduce((sum, { worth }) => sum + Math.max(0, worth), 0)

export type RecommendationFacets = Readonly<Record<FacetName, readonly FacetValue[]>>

export function recommendationFacets(selected: SelectedRecommendations): RecommendationFacets {
  const facets = facetNames.map((name) => [name, facetOf(selected.passingWithout(name), name)])
  return Object.fromEntries(facets) as RecommendationFacets
}

function facetOf(rows: readonly ShownRecommendation[], name: FacetName): FacetValue[] {
  const groups = new Map<string, ShownRecommendation[]>()
  for (const row of rows)
    for (const value of valuesOf(row, name)) groups.getOrInsertComputed(value, () => []).push(row)
  return [...groups]
    .map(([value, group]): FacetValue => {
      const counted = name === 'kind' ? group : group.filter(({ recommendation }) => !isApart(recommendation))
      const worth = counted.reduce((sum, row) => sum + row.worth, 0)
      return { value, count: group.length, worth_per_month: roundSum(worth) }
    })
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxFacetValues)
}

function valuesOf({ recommendation, state }: ShownRecommendation, name: FacetName): readonly string[] {
  if (name === 'finding') return recommendation.findings
  const value = name === 'state' ? state : recommendation[name]
  return value === null ? [] : [value]
}

/** Counts the kinds and places that the filter selects, in any state. Clusters do not count, as in the totals. */
export function realisedTotals(
  records: Iterable<RecommendationRecord>,
  { kinds, cluster, namespace }: RecommendationFilter,
  now: number,
): RealisedTotals {
  let [count, perMonth, total, since] = [0, 0, 0, Number.POSITIVE_INFINITY]
  for (const { recommendation, applied } of records) {
    if (applied === null || !kinds.has(recommendation.kind) || isApart(recommendation)) continue
    if (cluster !== undefined && recommendation.cluster !== cluster) continue
    if (namespace !== undefined && recommendation.namespace !== namespace) continue
    if (applied.from !== null) count++
    perMonth += realisedPerMonthUsd(applied, now)
    total += realisedUsd(applied, now)
    since = Math.min(since, applied.at)
  }
  return {
    count,
    per_month: roundSum(perMonth),
    total: roundSum(total),
    since: Number.isFinite(since) ? new Date(since).toISOString() : null,
  }
}
