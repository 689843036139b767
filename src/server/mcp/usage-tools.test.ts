import { expect, test } from 'vitest'
import type { CostRowView } from '../../costs/report/schema.ts'
import { costLines } from './usage-tools.ts'

test('costs of nodes are followed by their idle costs', () => {
  const row = (node: string, cost_type: CostRowView['cost_type'], cost_usd: number, day: number) =>
    ({
      cluster: 'prod',
      node,
      cost_usd,
      cost_type,
      start: `day ${day}`,
      end: `day ${day + 1}`,
    }) as CostRowView
  const usage = [row('n1', 'usage', 1, 1), row('n1', 'usage', 1.5, 2), row('n2', 'usage', 3, 1)]
  const idle = [row('n1', 'idle', 2, 1), row('n1', 'idle', 2.25, 2)]
  expect(costLines([...usage, ...idle])).toEqual([
    'prod/n1: $2.50 and $4.25 idle from day 1 to day 3',
    'prod/n2: $3.00 from day 1 to day 2',
  ])
})
