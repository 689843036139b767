import { expect, test } from 'vitest'
import type { CostRowView } from '../../allocation/view-cost-row.ts'
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
  estimated_cost_usd: 1,
  idle_cost_usd: 2.5,
  estimated_idle_cost_usd: 2.5,
  measured_hours: 24,
  requested_core_hours: 48,
  used_core_hours: 12,
  requested_gib_hours: 96,
  used_gib_hours: 24,
  requested_gpu_hours: 0,
}

test('the cost of GPUs has a column only if there is any', () => {
  expect(renderCosts([row])).not.toContain('GPUS')
  const text = renderCosts([row, { ...row, node: 'n2', cost_usd: 13, gpu_cost_usd: 12 }])
  expect(text).toMatch(/COST +GPUS +IDLE/)
  expect(text).toMatch(/n2 .* \$13\.00 +\$12\.00 /)
  expect(text).toContain('includes requested GPUs')
})

test('the estimated part includes idle costs at base rates', () => {
  const listed = { ...row, node: 'n2', estimated_cost_usd: 0, estimated_idle_cost_usd: 0 }
  const text = renderCosts([row, listed])
  expect(text).toContain('Total: $2.00, plus $5.00 idle.')
  expect(text).toContain('$3.50 of it is estimated at base rates')
})
