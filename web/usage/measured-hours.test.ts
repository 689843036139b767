import { expect, test } from 'vitest'
import { hoursByCluster, measuredHours, monthlyFactors } from './measured-hours.ts'

const row = (cluster: string, day: number, measured_hours: number) => ({
  cluster,
  start: new Date(Date.UTC(2026, 10, day)).toISOString(),
  measured_hours,
})

test('steps count once for each cluster, and a newer cluster is scaled by its own hours', () => {
  const rows = [row('a', 1, 24), row('a', 1, 24), row('a', 2, 24), row('b', 2, 6)]
  expect([...hoursByCluster(rows)]).toEqual([
    ['a', 48],
    ['b', 6],
  ])
  expect(measuredHours(rows)).toBe(48)
  expect(monthlyFactors(rows)('a')).toBeCloseTo(730 / 48)
  expect(monthlyFactors(rows)('b')).toBeCloseTo(730 / 6)
  expect(monthlyFactors([])('a')).toBe(0)
})
