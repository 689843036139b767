import { expect, test } from 'vitest'
import { usageOf, withIdle } from './cluster-costs.ts'

type Row = Parameters<typeof withIdle>[0][number]
const row = (of: Partial<Row>) =>
  ({
    cluster: 'a',
    start: '2026-11-01',
    cost_type: 'usage',
    cost_usd: 1,
    estimated_cost_usd: 0,
    ...of,
  }) as Row

test('idle cost is added to the usage of its node, and nothing is lost', () => {
  const rows = [
    row({ node: 'n1' }),
    row({ node: 'n2' }),
    row({ node: 'n2', cost_type: 'idle', cost_usd: 3, estimated_cost_usd: 2 }),
    row({ node: 'n3', cost_type: 'idle', cost_usd: 4 }),
  ]
  expect(
    withIdle(rows).map((each) => [
      each.node,
      each.cost_usd,
      each.idle_cost_usd,
      each.estimated_idle_cost_usd,
    ]),
  ).toEqual([
    ['n1', 1, 0, 0],
    ['n2', 1, 3, 2],
    ['n3', 0, 4, 0],
  ])
  expect(usageOf(rows)).toHaveLength(2)
})
