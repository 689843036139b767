import { expect, test } from 'vitest'
import type { ExplainedRecommendation, RecommendationPage } from '../../recommendations/list/schema.ts'
import { renderRecommendation, renderRecommendations } from './recommendations.ts'

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

test('the sum with its parts, what needs more, and what is estimated', () => {
  const savings = {
    ...{
      total_per_month: 258.71,
      nodes_per_month: 168.63,
      containers_per_month: 90.08,
      machines_per_month: 0,
    },
    ...{
      idle_per_month: 0,
      volumes_per_month: 0,
      estimated_per_month: 0,
      raises_per_month: 0,
      raises_count: 0,
    },
  }
  const check = (totals: object, changed: Partial<typeof savings>, expected: string[]): void => {
    const page = {
      recommendations: [row],
      totals: { count: 4, ...totals, savings: { ...savings, ...changed } },
      realised: { since: null },
      left_out: { count: 0 },
    } as unknown as RecommendationPage
    const [head, first, ...rest] = renderRecommendations(page).split('\n')
    expect(head).toMatch(/^ID +SAVES A MONTH +RISK/)
    expect(first).toMatch(/^a1 +-\$131\.05 /)
    expect(rest.filter((line) => line !== '' && !line.includes('not shown'))).toEqual(expected)
  }
  check({}, {}, ['4 recommendations, $258.71 a month: cluster nodes $168.63, container sizes $90.08.'])
  check({}, { raises_per_month: 131.05, raises_count: 1, estimated_per_month: 5 }, [
    '3 recommendations, $258.71 a month: cluster nodes $168.63, container sizes $90.08.',
    '1 container needs $131.05 a month more.',
    '~ $5.00 of it is estimated at base rates.',
  ])
  check({ count: 1 }, { total_per_month: 90.08, nodes_per_month: 0 }, ['1 recommendation, $90.08 a month.'])
})

test('one recommendation with its sizes as patches have them, its cost and its reasons', () => {
  const none = {
    cpu_cores: null,
    cpu_limit_cores: null,
    memory_gib: null,
    memory_limit_gib: null,
    instance_type: null,
  }
  const shown = (changed: object) =>
    renderRecommendation({
      recommendation: {
        ...row,
        kind: 'container',
        replicas: 2,
        current: { ...none, cpu_cores: 1, memory_gib: 2 },
        recommended: { ...none, cpu_cores: 0.704, memory_gib: 1.5 },
        cost_per_month: 100,
        reasons: ['CPU: p99 0.6 cores.'],
        state_reason: null,
        ...changed,
      },
      container: null,
      machine: null,
      nodes: null,
    } as unknown as ExplainedRecommendation)
  expect(shown({})).toBe(`Resize
prod/shop: open, low risk, low effort, confidence 50.0%, 2 replicas

                NOW      RECOMMENDED
CPU request     1        704m
CPU limit       none     none
Memory request  2Gi      1536Mi
Memory limit    none     none
Cost per month  $100.00  $231.05 (+$131.05)

- CPU: p99 0.6 cores.`)
  const machine = { kind: 'idle', replicas: null, current: { ...none, instance_type: 'm5.large' } }
  const removed = shown({ ...machine, recommended: null, worth_per_month: 100 })
  expect(removed).toMatch(/^Type +m5\.large +remove$/m)
  expect(removed).toContain('$0.00 (-$100.00)')
})
