import { expect, test } from 'vitest'
import { awsOffer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import { adviseCommitments } from './advise-commitments.ts'
import type { RunningKind } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { replaceNothing } from './replaced-kinds.ts'
import { depsOf, nodesAt } from './running-nodes.case.ts'
import type { CommitmentInput } from './schema.ts'
import { checkCommitments } from './store-commitments.ts'
import { viewCommitmentRecommendations } from './view-recommendations.ts'

const reserved = (type: string, usd: number): Offer =>
  awsOffer(type, usd, { usageType: 'RESERVED', term: '1y', family: type.split('.')[0]! })
const offers = [
  ...[
    ['m5.large', 0.096, 0.06] as const,
    ['m5.xlarge', 0.192, 0.12] as const,
    ['c5.xlarge', 0.17, 0.11] as const,
  ].flatMap(([type, usd, committed]) => [
    awsOffer(type, usd, { family: type.split('.')[0]! }),
    reserved(type, committed),
  ]),
]
const nowHour = 500_000
const days = 2

const node = nodesAt(nowHour)

async function advise(nodes: readonly Entity[], owned: readonly CommitmentInput[] = []) {
  const deps = await depsOf(offers, nodes, owned, nowHour)
  const found = await adviseCommitments(
    deps,
    'acme',
    { days, replace: replaceNothing },
    new Yielder(undefined),
  )
  return { found, view: viewCommitmentRecommendations(found, deps.now()) }
}

const nodes = [
  node('always', 'm5.xlarge', 48),
  node('young', 'm5.xlarge', 40),
  node('old', 'm5.large', 48, 12),
  node('brief', 'm5.large', 10),
  node('other', 'c5.xlarge', 30),
]

test('the amount is that with the least cost of all that could be committed in each hour', async () => {
  const { found } = await advise(nodes)
  const m5 = found.amounts.find(({ scope, term }) => scope.family === 'm5' && term === '1y')!
  const plan = (usd_per_hour: number) =>
    checkCommitments([
      {
        ...{ name: 'p', provider: 'aws', kind: 'savings_plan' as const, region: 'us-east-1', family: 'm5' },
        ...{ usd_per_hour, percent_off: 37.5, from: '2020-01-01', until: '2020-12-31' },
      },
    ])
  /** Replays every hour by itself. */
  const costOf = (usd: number): number => {
    let sum = 0
    for (let hour = nowHour - 24 * days; hour < nowHour; hour++) {
      const running = nodes.filter((one) => one.firstHour <= hour && hour <= one.lastHour)
      const kinds = found.kinds.map(
        (kind): RunningKind => ({
          ...kind,
          quantity: running.filter((one) => one.attributes.get('instanceType')?.value === kind.instanceType)
            .length,
        }),
      )
      const { kinds: covered } = coverHour(
        plan(usd),
        kinds,
        (_, kind) => 0.625 * (kind.coresUsd + kind.memoryUsd),
      )
      for (const [at, { onDemandUsd }] of covered.entries())
        if (kinds[at]!.family === 'm5') sum += onDemandUsd
    }
    return usd + sum / (24 * days)
  }
  const tried = Array.from({ length: 101 }, (_, step) => step / 200)
  expect(costOf(m5.bestUsd)).toBeLessThanOrEqual(Math.min(...tried.map(costOf)) + 1e-9)
})

test('what is bought, its risk and when it pays', async () => {
  const { view } = await advise(nodes)
  // 0.30 is used in 38 of 48 hours: two xlarge and one large.
  expect(view.recommendations[0]).toMatchObject({
    ...{ provider: 'aws', region: 'us-east-1', family: 'm5', term: '1y' },
    ...{ amount_per_hour: 0.3, break_even_percent: 62.5, under_used_hours_percent: 20.8 },
    commitment: { kind: 'savings_plan', family: 'm5', usd_per_hour: 0.3 },
  })
  expect(view.notes.at(-1)).toContain('only 2 days of history')
  const owned = { name: 'ri', provider: 'aws', kind: 'reserved_instance' as const, region: 'us-east-1' }
  const days99 = { from: '2000-01-01', until: '2099-12-31' }
  const after = await advise(nodes, [{ ...owned, instance_type: 'm5.xlarge', instances: 9, ...days99 }])
  expect(after.view.recommendations.map(({ family }) => family)).not.toContain('m5')
  expect(after.view.covered_per_hour).toBeGreaterThan(0.3)
})
