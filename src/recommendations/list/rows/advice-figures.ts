import { roundSum } from '../../../domain/money.ts'
import { maxFacetValues } from '../../../domain/recommendation.ts'
import type { Advice, AdviceTotals, FacetValue, RealisedTotals } from '../schema.ts'
import { type AdviceRecord, realisedPerMonthUsd, realisedUsd } from './followed-advice.ts'
import {
  type AdviceFilter,
  type FacetName,
  facetNames,
  type SelectedAdvice,
  withoutCovered,
} from './select-advice.ts'
import type { ShownAdvice } from './shown-advice.ts'

/**
 * The cost of a container is its share of the price of nodes, and so are its savings: these are the same dollars that
 * its cluster saves through fewer or cheaper nodes. Clusters are added up separately, so that nothing counts twice.
 */
const isApart = ({ kind }: Pick<Advice, 'kind'>): boolean => kind === 'cluster'

export function adviceTotals(rows: readonly ShownAdvice[]): AdviceTotals {
  const sum = (of: (row: ShownAdvice) => number) => roundSum(rows.reduce((total, row) => total + of(row), 0))
  const others = ({ advice, worth }: ShownAdvice) => (isApart(advice) ? 0 : worth)
  return {
    count: rows.length,
    worth_per_month: sum(others),
    estimated_per_month: sum((row) => (row.advice.is_estimate ? others(row) : 0)),
    nodes_per_month: sum((row) => (isApart(row.advice) ? row.worth : 0)),
    savings: savingsOf(rows),
  }
}

/**
 * The larger sum of each cluster counts: that of its nodes, which contains savings of containers, or of what runs on them.
 * Volumes are paid apart from both.
 */
function savingsOf(rows: readonly ShownAdvice[]): AdviceTotals['savings'] {
  const clusters = Map.groupBy(rows, ({ advice }) => advice.cluster)
  const parts = { nodes: 0, containers: 0, machines: 0, idle: 0, volumes: 0 }
  let [estimated, raises, raised] = [0, 0, 0]
  for (const group of clusters.values()) {
    const [onNodes, inside] = [
      group.filter(({ advice }) => isApart(advice)),
      group.filter(({ advice }) => !isApart(advice)),
    ]
    for (const { worth } of inside) {
      if (worth >= 0) continue
      raises -= worth
      raised++
    }
    const [volumes, pods] = [
      inside.filter(({ advice }) => advice.kind === 'volume'),
      inside.filter(({ advice }) => advice.kind !== 'volume'),
    ]
    const counted = savedUsd(onNodes) > savedUsd(pods) ? onNodes : pods
    for (const { advice, worth } of [...counted, ...volumes]) {
      if (worth <= 0) continue
      parts[partOf[advice.kind]] += worth
      if (advice.is_estimate) estimated += worth
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

const savedUsd = (rows: readonly ShownAdvice[]): number =>
  rows.reduce((sum, { worth }) => sum + Math.max(0, worth), 0)

export type AdviceFacets = Readonly<Record<FacetName, readonly FacetValue[]>>

export function adviceFacets(selected: SelectedAdvice): AdviceFacets {
  const facets = facetNames.map((name) => [name, facetOf(selected.passingWithout(name), name)])
  return Object.fromEntries(facets) as AdviceFacets
}

function facetOf(rows: readonly ShownAdvice[], name: FacetName): FacetValue[] {
  const groups = new Map<string, ShownAdvice[]>()
  for (const row of rows)
    for (const value of valuesOf(row, name)) groups.getOrInsertComputed(value, () => []).push(row)
  return [...groups]
    .map(([value, group]): FacetValue => {
      const listed = withoutCovered(group)
      const counted = name === 'kind' ? listed : listed.filter(({ advice }) => !isApart(advice))
      const worth = counted.reduce((sum, row) => sum + row.worth, 0)
      return { value, count: listed.length, worth_per_month: roundSum(worth) }
    })
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxFacetValues)
}

function valuesOf({ advice, state }: ShownAdvice, name: FacetName): readonly string[] {
  if (name === 'finding') return advice.findings
  const value = name === 'state' ? state : advice[name]
  return value === null ? [] : [value]
}

/** Counts the kinds and places that the filter selects, in any state. Clusters do not count, as in the totals. */
export function realisedTotals(
  records: Iterable<AdviceRecord>,
  { kinds, cluster, namespace }: AdviceFilter,
  now: number,
): RealisedTotals {
  let [count, perMonth, total, since] = [0, 0, 0, Number.POSITIVE_INFINITY]
  for (const { advice, applied } of records) {
    if (applied === null || !kinds.has(advice.kind) || isApart(advice)) continue
    if (cluster !== undefined && advice.cluster !== cluster) continue
    if (namespace !== undefined && advice.namespace !== namespace) continue
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
