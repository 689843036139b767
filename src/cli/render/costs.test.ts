import { expect, test } from 'vitest'
import type { CostRowView } from '../../costs/report/schema.ts'
import { renderCosts } from './costs.ts'

const row: CostRowView = {
  cluster: 'c1',
  node: 'n1',
  start: '2026-11-01T00:00:00.000Z',
  end: '2026-11-02T00:00:00.000Z',
  cost_usd: 1,
  cpu_cost_usd: 0.8,
  memory_cost_usd: 0.2,
  gpu_cost_usd: 0,
  other_cost_usd: 0,
  estimated_cost_usd: 1,
  cost_type: 'usage',
  measured_hours: 24,
  requested_core_hours: 48,
  used_core_hours: 12,
  requested_gib_hours: 96,
  used_gib_hours: 24,
  requested_gpu_hours: 0,
  unpriced_hours: 0,
  network_at_most_usd: 0,
}

test('the cost of GPUs has a column only if there is any', () => {
  expect(renderCosts([row])).not.toContain('GPUS')
  const text = renderCosts([row, { ...row, node: 'n2', cost_usd: 13, gpu_cost_usd: 12 }])
  expect(text).toMatch(/COST +GPUS +CPU USED/)
  expect(text).toMatch(/n2 .* \$13\.00 +\$12\.00 /)
  expect(text).toContain('includes requested GPUs')
})

test('idle costs are lines of their own, in the total and in its estimated part', () => {
  const idle = { ...row, cost_type: 'idle', cost_usd: 2.5, estimated_cost_usd: 2.5 } as const
  const listed = { ...row, node: 'n2', estimated_cost_usd: 0 }
  const text = renderCosts([row, listed, idle, { ...idle, node: 'n2', estimated_cost_usd: 0 }])
  expect(text).toMatch(/n2 .* idle +\$2\.50 /)
  expect(text).toContain('Total: $7.00, of it $5.00 idle.')
  expect(text).toContain('$3.50 of it is estimated at base rates')
})

test('amounts in cents add up to the total', () => {
  const text = renderCosts(['a', 'b', 'c'].map((node) => ({ ...row, node, cost_usd: 1 / 3 })))
  expect(text.match(/\$0\.3\d/g)).toEqual(['$0.34', '$0.33', '$0.33'])
  expect(text).toContain('Total: $1.00')
})

test('a period that was measured in part says how much', () => {
  expect(renderCosts([row], { hours: 312, ofHours: 744 })).toContain('There is usage for only 13 of 31 days.')
  expect(renderCosts([row], { hours: 744, ofHours: 744 })).not.toContain('only')
})
