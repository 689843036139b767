import { expect, onTestFinished, test } from 'vitest'
import { awsOffer } from '../../domain/offer.case.ts'
import { adviseCommitments } from '../../pricing/commitments/advise-commitments.ts'
import { reportCoverage } from '../../pricing/commitments/report-coverage.ts'
import { checkCommitments } from '../../pricing/commitments/store-commitments.ts'
import { viewCommitmentRecommendations } from '../../pricing/commitments/view-recommendations.ts'
import { marketOf } from '../../pricing/market.ts'
import { openTestMarket } from '../../pricing/test-market.case.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { exampleRecommendation } from './rows/recommendation.case.ts'
import { noSize } from './rows/recommendation-row.ts'
import { replacementsIn } from './rows/replacements.ts'

const offers = Object.entries({ 'm5.2xlarge': 0.384, 'm5.xlarge': 0.192, 'r5.xlarge': 0.252 })
  .concat(Object.entries({ 'c6a.2xlarge': 0.306, 'm6a.2xlarge': 0.3456 }))
  .flatMap(([type, usd]) => {
    const family = type.split('.')[0]!
    return [
      awsOffer(type, usd, { family }),
      awsOffer(type, 0.4 * usd, { family, usageType: 'RESERVED', term: '3y' }),
    ]
  })
const nowHour = 500_000
const hours = 48

const pool = (instance_type: string, count: number) => ({
  ...{ provider: 'Amazon Web Services', region: 'us-east-1', instance_type, count },
  ...{ operating_system: 'Linux' as const, usage_type: 'ONDEMAND' as const },
})

/** Its nodes are to be of other types, fewer of them. */
const productionPlan = exampleRecommendation({
  ...{
    kind: 'cluster',
    cluster: 'production',
    effort: 'medium',
    cost_per_month: 2610.48,
    worth_per_month: 960,
  },
  current: { ...noSize, nodes: 10 },
  recommended: { ...noSize, provider: 'Amazon Web Services', region: 'us-east-1', nodes: 7 },
  pools: [pool('c6a.2xlarge', 4), pool('m6a.2xlarge', 3)],
})

const nodesOf = (cluster: string, instanceType: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const name = `${instanceType}-${index}`
    const entity = newEntity({ kind: 'node', cluster, namespace: '', name }, nowHour - hours)
    const texts = { provider: 'aws', region: 'us-east-1', instanceType }
    for (const [key, text] of Object.entries(texts)) setAttribute(entity, key, text, 3600 * nowHour)
    entity.lastHour = nowHour
    return { key: entityKey(entity.ref), json: encodeEntity(entity) }
  })

const replay = async () => {
  const { pricing, close } = await openTestMarket(offers)
  onTestFinished(close)
  const rows = [
    ...nodesOf('production', 'm5.2xlarge', 8),
    ...nodesOf('production', 'r5.xlarge', 2),
    ...nodesOf('staging', 'm5.xlarge', 3),
  ]
  const deps = {
    ...{ pricing, store: { usage: { entities: async () => rows } } },
    now: () => nowHour * 3_600_000,
  } as unknown as Parameters<typeof adviseCommitments>[0]
  return { deps, replace: replacementsIn([productionPlan], pricing, await marketOf(pricing, 'acme')) }
}

test('the nodes of a cluster are replayed as those that are planned, and families that it leaves get none', async () => {
  const { deps, replace } = await replay()
  const found = await adviseCommitments(deps, 'acme', { days: 2, replace }, new Yielder(undefined))
  expect(Object.fromEntries(found.kinds.map(({ family }, at) => [family, found.leftUsd[at]]))).toEqual({
    c6a: expect.closeTo(4 * 0.306, 9),
    m6a: expect.closeTo(3 * 0.3456, 9),
    m5: expect.closeTo(3 * 0.192, 9),
  })
  const rows = viewCommitmentRecommendations(found, deps.now()).recommendations
  // All of it at 40%. Only staging still has m5.
  expect(Object.fromEntries(rows.map((row) => [row.family, row.amount_per_hour]))).toEqual({
    c6a: 0.4896,
    m6a: 0.41472,
    m5: 0.2304,
  })
})

test('a commitment for a family that the recommendations leave is tried with a warning', async () => {
  const { deps, replace } = await replay()
  const plan = (family: string, usd_per_hour: number) => ({
    ...{
      name: `${family} plan`,
      provider: 'aws',
      kind: 'savings_plan' as const,
      region: 'us-east-1',
      family,
    },
    ...{ usd_per_hour, percent_off: 60, from: '2000-01-01', until: '2099-12-31' },
  })
  const noteOf = async (usd: number) => {
    const tried = checkCommitments([plan('m5', usd), plan('r5', 0.2)])
    return (await reportCoverage(deps, 'acme', tried, undefined, replace)).note
  }
  expect(await noteOf(1)).toContain(
    'less of what is committed is used: m5 plan 23% instead of 100%, r5 plan 0% instead of 100%.',
  )
  expect(await noteOf(0.2)).toContain('is used: r5 plan 0% instead of 100%.')
})
