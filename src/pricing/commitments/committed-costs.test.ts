import { expect, test } from 'vitest'
import { awsOffer } from '../../domain/offer.case.ts'
import { dayOf, hourMs } from '../../domain/time.ts'
import { committedCosts, committedSentence } from './committed-costs.ts'
import { depsOf, nodesAt } from './running-nodes.case.ts'
import type { CommitmentInput } from './schema.ts'

/** The end of 16 January 2027. */
const nowHour = 24 * 20_834
const offers = [
  awsOffer('m5.large', 0.1, { family: 'm5' }),
  awsOffer('m5.xlarge', 0.2, { family: 'm5' }),
  awsOffer('m5.large', 0.06, { family: 'm5', usageType: 'RESERVED', term: '1y' }),
]

const node = nodesAt(nowHour)
const nodes = [node('a', 'm5.xlarge', 48), node('b', 'm5.large', 12)]

async function costsWith(owned: readonly CommitmentInput[], hours: number) {
  const deps = await depsOf(offers, nodes, owned, nowHour)
  return committedCosts(deps, 'acme', { from: nowHour - hours, to: nowHour + 100 })
}

const reservation = {
  name: 'ri',
  provider: 'aws',
  kind: 'reserved_instance',
  instance_type: 'm5.large',
  region: 'us-east-1',
  from: '2026-06-01',
  until: '2027-05-31',
} as const

test('what commitments cover and cost, hour by hour', async () => {
  // 36 h with 1 xlarge, which one large covers by half, and 12 h in which it covers the large.
  expect(await costsWith([{ ...reservation, instances: 1 }], 72)).toEqual({
    commitments: ['ri'],
    covered_usd: 4.8,
    cost_usd: 2.88,
    change_usd: -1.92,
  })
  // 3 cover all of 3 units in the last 12 h, and 2 of 3 are used before.
  const three = await costsWith([{ ...reservation, instances: 3 }], 24)
  expect(three).toMatchObject({ covered_usd: 6, cost_usd: 4.32 })
  expect(committedSentence(three)).toEqual([
    'Costs are at on-demand prices. Commitments (ri) cover $6.00 of nodes and machines and cost $4.32: with them the sum is $1.68 less.',
  ])
})

test('a commitment counts from its first to its last day', async () => {
  const yesterday = dayOf((nowHour - 25) * hourMs)
  const ended = { ...reservation, instances: 1, until: yesterday }
  expect(await costsWith([ended], 48)).toMatchObject({ covered_usd: 2.4, cost_usd: 1.44 })
  expect(await costsWith([ended], 24)).toMatchObject({ commitments: [], covered_usd: 0 })
})

test('without a known cost, only what is covered is said', async () => {
  const unknown = { ...reservation, instance_type: 'm5.xlarge', instances: 1 }
  const costs = await costsWith([unknown], 24)
  expect(costs).toMatchObject({ covered_usd: 4.8 + 1.2 - 1.2, cost_usd: null, change_usd: null })
  expect(committedSentence(costs)[0]).toContain('state cost_per_hour_usd')
  expect(committedSentence(await costsWith([], 24))).toEqual([])
})
