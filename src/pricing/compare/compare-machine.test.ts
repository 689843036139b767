import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import { awsOffer } from '../../domain/offer.case.ts'
import type { RecommendationRequest } from '../request/request.ts'
import { openTestMarket, request, type TestMarket } from '../test-market.case.ts'
import { compareMachine } from './compare-machine.ts'
import type { Effort } from './comparison.ts'
import type { Comparison } from './schema.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const ask = (
  over: Partial<RecommendationRequest> & { anywhere?: boolean } = {},
  today = '2026-11-15',
): Promise<Comparison> => compareMachine(fixture.pricing, 'acme', request(over), today).then(orProblem)

const typesOf = (comparison: Comparison, effort: Effort): string[] | undefined =>
  comparison.options.find((option) => option.effort === effort)?.offers.map((offer) => offer.instance_type)

test('options come in order of effort, each with its best offers', async () => {
  const comparison = await ask({ anywhere: true })
  expect(comparison.options.map(({ effort }) => effort)).toEqual(['resize', 'provider', 'commit', 'spot'])
  expect(typesOf(comparison, 'resize')).toEqual(['m5.large'])
  expect(typesOf(comparison, 'provider')).toEqual(['n2-standard-2', 'Standard_D2s_v5', 's-4vcpu-8gb'])
  expect(
    comparison.options.find(({ effort }) => effort === 'commit')!.offers.map(({ term }) => term),
  ).toEqual(['1y', '3y'])
  expect(typesOf(comparison, 'spot')).toEqual(['m5.xlarge'])
})

test('the current machine is described, with what it needs', async () => {
  const { current } = await ask()
  expect(current).toMatchObject({
    provider: 'AWS',
    instance_type: 'm5.xlarge',
    vm: { cpu_cores: 4, ram_gb: 16 },
    usage: { cpu_cores: 1.5, ram_gb: 6 },
    required: { cpu_cores: 1.875, ram_gb: 7.5 },
    cost_per_hour: 0.192,
    machine: { generation: 'previous', speed: { coremark_per_vcpu: 14320 } },
    notes: [],
  })
})

test('the day of a price counts: after sixty days it is old, after a week a spot price indicative', async () => {
  const price = async (today: string, over: Partial<RecommendationRequest>) =>
    (await ask(over, today)).current.price
  expect(await price('2026-11-15', {})).toMatchObject({ day: '2026-11-01', age_days: 14, is_old: false })
  expect(await price('2027-01-01', {})).toMatchObject({ age_days: 61, is_old: true, is_indicative: false })
  expect(await price('2026-11-08', { usage_type: 'spot' })).toMatchObject({
    age_days: 7,
    is_indicative: false,
  })
  expect(await price('2026-11-09', { usage_type: 'spot' })).toMatchObject({
    age_days: 8,
    is_indicative: true,
  })
})

test('near another place: only offers there, and none in the current region', async () => {
  const near = async (place: string) => {
    const { options } = await ask({ predicates: { near: place, distance_km: 300 } })
    return options.map(({ effort, offers }) => [effort, ...new Set(offers.map(({ region }) => region))])
  }
  expect(await near('us-central1')).toEqual([['provider', 'us-central1']])
  expect((await near('us-east-1'))[0]).toEqual(['resize', 'us-east-1'])
})

test('what is cheaper but not comparable is counted', async () => {
  const { left_out: leftOut } = await ask()
  const counts = Object.fromEntries(leftOut.map(({ reason, offers }) => [reason, offers]))
  expect(counts).toMatchObject({ 'other-architecture': 1, 'cannot-sustain': 1, 'other-payment': 4 })
})

test('a discontinued type is reported as such', async () => {
  const { current, options } = await ask({ instance_type: 'p3.2xlarge', vm: { cpu_cores: 8, ram_gb: 61 } })
  expect(current.notes).toEqual(['This type is retired.'])
  expect(options).toEqual([])
})

test('predicates limit the options', async () => {
  const comparison = await ask({ predicates: { providers: ['gcp'] } })
  expect(comparison.options.map(({ effort }) => effort)).toEqual(['provider'])
  expect(typesOf(comparison, 'provider')).toEqual(['n2-standard-2'])
})

test('of two that cost nearly the same, the faster one comes first, for each term too', async () => {
  const reserved = { usageType: 'RESERVED', term: '3y' } as const
  const market = await openTestMarket([
    ...[awsOffer('m5.xlarge', 0.192), awsOffer('m5a.xlarge', 0.172), awsOffer('m6a.xlarge', 0.1728)],
    ...[awsOffer('m5a.xlarge', 0.0745, reserved), awsOffer('m6a.xlarge', 0.075, reserved)],
  ])
  onTestFinished(() => market.close())
  for (const count of [1, 2]) {
    const asked = request({ usage: { cpu_cores: 3, ram_gb: 12 }, offers_per_type: count })
    const comparison = orProblem(await compareMachine(market.pricing, 'acme', asked, '2026-11-15'))
    expect(typesOf(comparison, 'resize')).toEqual(['m6a.xlarge', 'm5a.xlarge'].slice(0, count))
    expect(typesOf(comparison, 'commit')).toEqual(['m6a.xlarge'])
  }
})

test('a given size that the type does not have is used, and a note says so', async () => {
  const vm = { cpu_cores: 2, ram_gb: 4 }
  const { current } = await ask({ vm, usage: vm })
  expect(current).toMatchObject({ vm, usage: vm, required: vm })
  expect(current.notes).toEqual([
    'The given size of 2 cores and 4 GiB differs from that of this type, 4 cores and 16 GiB: the given one is used.',
  ])
  const decimal = await ask({ vm: { cpu_cores: 4, ram_gb: 17.18 } })
  expect(decimal.current.notes).toEqual([])
})
