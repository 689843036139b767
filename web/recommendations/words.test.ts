import { expect, test } from 'vitest'
import { adviceDays } from '../../src/domain/recommendation.ts'
import { advicePeriod, summedCount } from './words.ts'

test('the period of recommendations is the one of the service', () => {
  expect(advicePeriod).toBe(`last ${adviceDays} days`)
})

test.each([
  [3, 0, '4 recommendations'],
  [3, 120, '1 recommendation'],
])('recommendations for %i clusters are not counted if they are summed apart', (clusters, usd, expected) => {
  const totals = { count: 4, worth_per_month: 10, nodes_per_month: usd, estimated_per_month: 0 }
  const kind = [{ value: 'cluster', count: clusters, worth_per_month: usd }]
  const facets = { kind, state: [], risk: [], finding: [], cluster: [], namespace: [] }
  expect(summedCount({ totals, facets })).toBe(expected)
})
