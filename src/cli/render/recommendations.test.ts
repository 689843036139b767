import { expect, test } from 'vitest'
import type { AdvicePage } from '../../recommendations/list/schema.ts'
import { renderRecommendations } from './recommendations.ts'

const row = {
  id: 'a1',
  worth_per_month: -131.05,
  is_estimate: false,
  risk: 'low',
  effort: 'low',
  confidence: 0.5,
  state: 'open',
  outdated_since: null,
  cluster: 'prod',
  namespace: 'shop',
  machine: null,
  title: 'Resize',
}

function check(count: number, clusters: number, expected: string[]): void {
  const page = {
    recommendations: Array.from({ length: count }, () => row),
    totals: {
      count,
      worth_per_month: count > clusters ? 90.08 : 0,
      estimated_per_month: 0,
      nodes_per_month: clusters === 0 ? 0 : 168.63,
    },
    // The facet also counts clusters if the filter excludes them.
    facets: { kind: [{ value: 'cluster', count: Math.max(1, clusters), worth_per_month: 168.63 }] },
    realised: { since: null },
    left_out: { count: 0 },
  } as unknown as AdvicePage
  const [head, first, ...rest] = renderRecommendations(page).split('\n')
  expect(head).toMatch(/^ID +SAVES A MONTH +RISK/)
  expect(first).toMatch(/^a1 +-\$131\.05 /)
  expect(rest.slice(count)).toEqual(expected)
}

const parts = 'Clusters save with fewer or other nodes; savings by container sizes are part of that.'

test.each<[number, number, string[]]>([
  [4, 1, ['3 recommendations, $90.08 a month, and 1 for clusters, $168.63 a month.', parts]],
  [1, 1, ['1 recommendation for clusters, $168.63 a month.', parts]],
  [1, 0, ['1 recommendation, $90.08 a month.']],
])('%d recommendations, %d of them for clusters', check)
