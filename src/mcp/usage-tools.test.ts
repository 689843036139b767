import { expect, test } from 'vitest'
import type { CostRowView } from '../allocation/view-cost-row.ts'
import { costLines } from './usage-tools.ts'

test('costs of nodes are followed by their idle costs', () => {
  const row = (node: string, cost_usd: number, idle_cost_usd: number, day: number) =>
    ({
      cluster: 'prod',
      node,
      cost_usd,
      idle_cost_usd,
      start: `day ${day}`,
      end: `day ${day + 1}`,
    }) as CostRowView
  expect(costLines([row('n1', 1, 2, 1), row('n1', 1.5, 2.25, 2), row('n2', 3, 0, 1)])).toEqual([
    'prod/n1: $2.50 and $4.25 idle from day 1 to day 3',
    'prod/n2: $3.00 from day 1 to day 2',
  ])
})
