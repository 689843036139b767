import { expect, test } from 'vitest'
import type { RecommendationState } from '../../../domain/recommendation.ts'
import { type ListRequest, parseListRequest } from '../query.ts'
import type { Recommendation } from '../schema.ts'
import { recommendationFacets, recommendationTotals } from './figures.ts'
import { exampleRecommendation } from './recommendation.case.ts'
import { selectRecommendations } from './select-recommendations.ts'
import type { ShownRecommendation } from './shown-recommendation.ts'

const shown = (
  id: string,
  worth: number,
  {
    coveredBy = null,
    state = 'open',
    ...more
  }: Partial<Recommendation> & { coveredBy?: string | null; state?: RecommendationState } = {},
): ShownRecommendation => ({
  recommendation: exampleRecommendation({ id, worth_per_month: worth, ...more }),
  worth,
  coveredBy,
  state,
  record: undefined,
  isRecommended: true,
  decidedOn: undefined,
})

const rows = [
  shown('resize', 10, { is_estimate: true }),
  shown('raise', -2, { namespace: 'data', risk: 'low', findings: ['oom-kills'] }),
  shown('covered', 4, { coveredBy: 'idle', risk: 'medium' }),
  shown('idle', 20, { kind: 'idle', idle_days: 8, container: null, title: 'Remove Deployment/Old' }),
  shown('machine', 50, {
    kind: 'machine',
    cluster: null,
    namespace: null,
    machine: 'build-7',
    confidence: 0.3,
  }),
  shown('later', 5, { state: 'snoozed', cluster: 'test' }),
]
const ids = (request: ListRequest): string[] =>
  selectRecommendations(rows, parseListRequest(request).filter).passing.map(
    ({ recommendation }) => recommendation.id,
  )

test.each<[ListRequest, string[]]>([
  [{}, ['resize', 'raise', 'idle', 'machine']],
  [{ kind: 'container' }, ['resize', 'raise', 'covered']],
  [{ kind: 'container, Machine' }, ['resize', 'raise', 'covered', 'machine']],
  [{ idle_days: 9 }, ['resize', 'raise', 'covered', 'machine']],
  [{ state: 'snoozed' }, ['later']],
  [{ state: 'all', cluster: 'test' }, ['later']],
  [{ namespace: 'data' }, ['raise']],
  [{ min_worth: 10 }, ['resize', 'idle', 'machine']],
  [{ min_confidence: 0.5 }, ['resize', 'raise', 'idle']],
  [{ risk: 'medium' }, []],
  [{ risk: 'medium', kind: 'container' }, ['covered']],
  [{ q: 'covered' }, []],
  [{ q: ' old ' }, ['idle']],
  [{ finding: 'oom-kills,throttled' }, ['raise']],
  [{ finding: 'throttled' }, []],
  [{ q: 'BUILD-' }, ['machine']],
  [{ q: 'nothing' }, []],
])('%o', (request, expected) => {
  expect(ids(request)).toEqual(expected)
})

test.each<ListRequest>([{ kind: 'pod' }, { state: '' }, { risk: 'low,extreme' }, { cursor: 'x' }])(
  '%o is refused',
  (request) => {
    expect(() => parseListRequest(request)).toThrow('The query is invalid.')
  },
)

const totals = (count: number, worth: number, estimated: number, nodes: number) => ({
  count,
  worth_per_month: worth,
  estimated_per_month: estimated,
  nodes_per_month: nodes,
})

test('totals and facets are over all that pass', () => {
  const { filter } = parseListRequest({ kind: 'container' })
  const selected = selectRecommendations(rows, filter)
  expect(recommendationTotals(selected.passing)).toMatchObject(totals(3, 12, 10, 0))
  const facets = recommendationFacets(selected)
  expect(facets.kind).toEqual([
    { value: 'container', count: 3, worth_per_month: 12 },
    { value: 'idle', count: 1, worth_per_month: 20 },
    { value: 'machine', count: 1, worth_per_month: 50 },
  ])
  expect(facets.state).toEqual([
    { value: 'open', count: 3, worth_per_month: 12 },
    { value: 'snoozed', count: 1, worth_per_month: 5 },
  ])
  expect(facets.finding).toEqual([{ value: 'oom-kills', count: 1, worth_per_month: -2 }])
  expect(facets.namespace[0]).toEqual({ value: 'shop', count: 2, worth_per_month: 14 })
})

test.each<ListRequest>([{}, { kind: 'container' }, { state: 'all' }, { risk: 'medium' }])(
  'a facet counts what is listed once its value is chosen: %o',
  (request) => {
    const dismissed = rows.map((row) =>
      row.recommendation.id === 'idle' ? { ...row, state: 'dismissed' as const } : row,
    )
    for (const all of [rows, dismissed]) {
      const facets = recommendationFacets(selectRecommendations(all, parseListRequest(request).filter))
      for (const name of ['kind', 'state', 'risk', 'finding', 'cluster', 'namespace'] as const)
        for (const { value, count, worth_per_month } of facets[name]) {
          const chosen = parseListRequest({ ...request, [name]: value })
          const { passing } = selectRecommendations(all, chosen.filter)
          expect([name, value, recommendationTotals(passing)]).toMatchObject([
            name,
            value,
            { count, worth_per_month },
          ])
        }
    }
  },
)

test('clusters are added up apart, because containers save on the same nodes', () => {
  const nodes = shown('nodes', 100, { kind: 'cluster', namespace: null, workload: null, container: null })
  const selected = selectRecommendations([...rows, nodes], parseListRequest({}).filter)
  expect(recommendationTotals(selected.passing)).toMatchObject(totals(5, 78, 10, 100))
  const facets = recommendationFacets(selected)
  expect(facets.kind).toContainEqual({ value: 'cluster', count: 1, worth_per_month: 100 })
  expect(facets.cluster[0]).toEqual({ value: 'prod', count: 4, worth_per_month: 28 })
  expect(recommendationTotals(selected.passing).savings).toMatchObject({
    total_per_month: 150,
    nodes_per_month: 100,
    containers_per_month: 0,
    machines_per_month: 50,
    idle_per_month: 0,
    raises_per_month: 2,
    raises_count: 1,
  })
})

test('savings of a cluster count once: the larger of its nodes and of what runs on them', () => {
  const nodes = shown('nodes', 7, { kind: 'cluster', namespace: null, workload: null, container: null })
  const { savings } = recommendationTotals(
    selectRecommendations([...rows, nodes], parseListRequest({}).filter).passing,
  )
  expect(savings).toMatchObject({
    total_per_month: 80,
    nodes_per_month: 0,
    containers_per_month: 10,
    idle_per_month: 20,
  })
})

test('savings within a plan of nodes that was accepted are not counted as open', () => {
  const nodes = shown('nodes', 100, {
    kind: 'cluster',
    state: 'accepted',
    namespace: null,
    workload: null,
    container: null,
  })
  const all = [...rows, nodes]
  const open = selectRecommendations(all, parseListRequest({ state: 'open' }).filter).passing
  const both = recommendationTotals([...open, nodes]).savings.total_per_month
  expect(recommendationTotals(open, all).savings).toMatchObject({
    nodes_per_month: 0,
    containers_per_month: 0,
  })
  expect(recommendationTotals(open, all).savings.total_per_month).toBeCloseTo(both - 100)
})

test('volumes of a cluster save beside its nodes', () => {
  const nodes = shown('nodes', 100, { kind: 'cluster', namespace: null, workload: null, container: null })
  const volume = shown('volume', 6, { kind: 'volume', workload: null, container: null })
  const { savings } = recommendationTotals(
    selectRecommendations([...rows, nodes, volume], parseListRequest({}).filter).passing,
  )
  expect(savings).toMatchObject({ total_per_month: 156, nodes_per_month: 100, volumes_per_month: 6 })
})
