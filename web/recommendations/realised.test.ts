import { expect, test } from 'vitest'
import type { Recommendation } from './queries.ts'
import { monthsOf } from './realised.tsx'

const applied = (since: string, per_month: number, kind: Recommendation['kind'] = 'container') => ({
  kind,
  realised: { since, per_month, total: 0 },
})

test('savings of a month include those that were applied before it', () => {
  const rows = [
    applied('2026-11-02T00:00:00.000Z', 5),
    applied('2026-09-10T00:00:00.000Z', 10),
    applied('2026-09-30T23:59:00.000Z', -3),
    applied('2026-10-01T00:00:00.000Z', 100, 'cluster'),
    { kind: 'volume' as const, realised: null },
  ]
  expect(monthsOf(rows, Date.parse('2026-11-19T00:00:00Z'))).toEqual([
    { month: '2026-09', perMonth: 7, applied: 2 },
    { month: '2026-10', perMonth: 7, applied: 0 },
    { month: '2026-11', perMonth: 12, applied: 1 },
  ])
  expect(monthsOf([], 0)).toEqual([])
})
