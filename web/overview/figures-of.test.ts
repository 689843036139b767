import { expect, test } from 'vitest'
import { figuresOf, spendBy, spendByDay } from './figures-of.ts'

const row = (cluster: string, day: number, more = {}) => ({
  cluster,
  start: new Date(Date.UTC(2026, 10, day)).toISOString(),
  end: new Date(Date.UTC(2026, 10, day + 1)).toISOString(),
  cost_usd: 10,
  cpu_cost_usd: 6,
  memory_cost_usd: 4,
  gpu_cost_usd: 0,
  estimated_cost_usd: 1,
  idle_cost_usd: 2,
  estimated_idle_cost_usd: 0.5,
  measured_hours: 24,
  requested_core_hours: 100,
  used_core_hours: 50,
  requested_gib_hours: 40,
  used_gib_hours: 10,
  requested_gpu_hours: 0,
  ...more,
})

test('sums are scaled to a month of 730 hours by the measured hours of each cluster', () => {
  const figures = figuresOf([row('a', 1), row('a', 2), row('b', 2)])
  expect(figures.perMonth).toBeCloseTo((24 * 730) / 48 + (12 * 730) / 24)
  expect(figures.idlePerMonth).toBeCloseTo((4 * 730) / 48 + (2 * 730) / 24)
  expect(figures.estimatedPerMonth).toBeCloseTo((3 * 730) / 48 + (1.5 * 730) / 24)
  expect(figures.cpu).toBeCloseTo(0.5)
  expect(figures.memory).toBeCloseTo(0.25)
  // Half of the CPU cost and a quarter of the memory cost are used, out of the total cost.
  expect(figures.efficiency).toBeCloseTo((6 * 0.5 + 4 * 0.25) / 12)
  // The use of GPUs is not measured.
  const withGpus = figuresOf([row('a', 1, { cost_usd: 110, gpu_cost_usd: 100 })])
  expect(withGpus.efficiency).toBeCloseTo((6 * 0.5 + 4 * 0.25) / 12)
  // Volumes are part of the spend, and neither used nor unused capacity of nodes.
  const withVolumes = figuresOf([row('a', 1, { cost_usd: 30, other_cost_usd: 20 })])
  expect(withVolumes.efficiency).toBeCloseTo((6 * 0.5 + 4 * 0.25) / 12)
  expect(withVolumes.otherPerMonth).toBeCloseTo((20 * 730) / 24)
})

test('without rows there are no figures, and efficiency is at most 100%', () => {
  expect(figuresOf([])).toMatchObject({ perMonth: 0, efficiency: undefined, cpu: undefined })
  const over = figuresOf([row('a', 1, { used_core_hours: 300, used_gib_hours: 300, idle_cost_usd: 0 })])
  expect(over.efficiency).toBeCloseTo(1)
  expect(over.cpu).toBeCloseTo(3)
})

test('spend by cluster and namespace, highest first', () => {
  const rows = [
    row('a', 1, { namespace: 'x', idle_cost_usd: undefined }),
    row('b', 1, { namespace: 'x', cost_usd: 30, idle_cost_usd: undefined }),
    row('a', 1, { namespace: 'y', cost_usd: 20, idle_cost_usd: undefined }),
  ]
  expect(spendBy(rows, () => 2)).toEqual([
    { cluster: 'b', namespace: 'x', perMonth: 60 },
    { cluster: 'a', namespace: 'y', perMonth: 40 },
    { cluster: 'a', namespace: 'x', perMonth: 20 },
  ])
})

test('complete days in order, without the current one and a first one that is cut', () => {
  const now = Date.UTC(2026, 10, 3, 12)
  const day = { day: '2026-11-02', used: 20, idle: 4, hours: 24 }
  const rows = [row('a', 3), row('b', 2), row('a', 2)].map((one) => ({ ...one, measured_hours: 24 }))
  expect(spendByDay(rows, now)).toEqual([day])
  const cut = { ...row('a', 1), measured_hours: 5 }
  expect(spendByDay([...rows, cut], now)).toEqual([day])
  expect(spendByDay([cut], now)).toHaveLength(1)
})
