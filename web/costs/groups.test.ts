import { expect, test } from 'vitest'
import { periodBefore } from '../usage/period.ts'
import { stepsToDraw } from './area.ts'
import { comparedGroups, costUsdOf, estimatedIdleUsdOf, groupsOf, idleByStep, idleUsdOf } from './groups.ts'
import { type CostRow, stepOf } from './queries.ts'

const row = (of: Partial<CostRow>): CostRow => ({
  start: '2026-11-01T00:00:00.000Z',
  end: '2026-11-02T00:00:00.000Z',
  cost_usd: 1,
  cpu_cost_usd: 0.5,
  memory_cost_usd: 0.5,
  gpu_cost_usd: 0,
  estimated_cost_usd: 0,
  requested_core_hours: 2,
  used_core_hours: 1,
  requested_gib_hours: 4,
  used_gib_hours: 3,
  requested_gpu_hours: 0,
  ...of,
})

test('steps of a group are summed, most expensive group first, and nothing is lost', () => {
  const rows = [
    row({ cluster: 'a', namespace: 'n' }),
    row({ cluster: 'a', namespace: 'n', start: '2026-11-02T00:00:00.000Z', cost_usd: 2 }),
    row({ cluster: 'b', namespace: 'n', cost_usd: 5 }),
  ]
  const groups = groupsOf(rows)
  expect(groups.map(({ name, place, costUsd }) => [name, place, costUsd])).toEqual([
    ['n', 'b', 5],
    ['n', 'a', 3],
  ])
  expect(groups[1]!.byStep.get('2026-11-02T00:00:00.000Z')).toBe(2)
  expect(groups.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBe(costUsdOf(rows))
})

test('groups that ran only in the previous period are listed, so that changes add up', () => {
  const now = groupsOf([row({ namespace: 'kept', cost_usd: 3 }), row({ namespace: 'new', cost_usd: 2 })])
  const before = groupsOf([row({ namespace: 'kept', cost_usd: 1 }), row({ namespace: 'ended', cost_usd: 5 })])
  const compared = comparedGroups(now, before)
  expect(compared.map(({ name, costUsd, beforeUsd }) => [name, costUsd, beforeUsd])).toEqual([
    ['kept', 3, 1],
    ['new', 2, 0],
    ['ended', 0, 5],
  ])
  expect(compared.at(-1)).toMatchObject({ requestedCoreHours: 0, gpuUsd: 0 })
})

test('every grouping has names, also for groups without one', () => {
  const named = (of: Partial<CostRow>) => groupsOf([row(of)]).map(({ name, place }) => [name, place])[0]
  expect(named({ cluster: 'a' })).toEqual(['a', ''])
  expect(named({ cluster: 'a', node: null })).toEqual(['no node known', 'a'])
  expect(named({ cluster: 'a', namespace: 'n', workload: 'Deployment/web' })).toEqual([
    'Deployment/web',
    'a / n',
  ])
  expect(named({ label: 'team', value: null })).toEqual(['without team', ''])
  expect(named({ label: 'annotation:owner', value: null })).toEqual(['without owner', ''])
})

test('idle cost is summed over the clusters', () => {
  const rows = [row({ cluster: 'a', idle_cost_usd: 2 }), row({ cluster: 'b', idle_cost_usd: 3 })]
  expect(idleUsdOf(rows)).toBe(5)
  expect(estimatedIdleUsdOf([...rows, row({ cluster: 'c', estimated_idle_cost_usd: 2 })])).toBe(2)
  expect([...idleByStep(rows).values()]).toEqual([5])
})

test('the previous period is as long and ends where this one begins', () => {
  expect(
    periodBefore({ start_date: '2026-11-08T00:00:00.000Z', end_date: '2026-11-15T00:00:00.000Z' }),
  ).toEqual({ start_date: '2026-11-01T00:00:00.000Z', end_date: '2026-11-08T00:00:00.000Z' })
  expect([1, 3, 14, 90, 400].map(stepOf)).toEqual(['hour', 'hour', 'day', 'day', 'week'])
})

test('a day that was measured only in part is drawn, with its hours', () => {
  const day = (of: number, measured_hours: number) =>
    row({ start: `2026-11-0${of}T00:00:00.000Z`, measured_hours })
  const drawn = stepsToDraw([day(2, 24), day(1, 5), day(2, 20), day(3, 24), day(4, 3)], 'day')
  expect(drawn.starts.map((start) => start.slice(8, 10))).toEqual(['01', '02', '03', '04'])
  expect([...drawn.partly.values()]).toEqual([5, 3])
})
