import { beforeAll, expect, test } from 'vitest'
import { orProblem } from '../../src/domain/not-found.ts'
import { compareMachine } from '../../src/pricing/compare/compare-machine.ts'
import type { Effort } from '../../src/pricing/compare/comparison.ts'
import type { Comparison } from '../../src/pricing/compare/schema.ts'
import { completeRequest, type PartialRequest } from '../../src/pricing/request/complete-request.ts'
import { shippedPricing } from './pricing-fixture.ts'

let fixture: Awaited<ReturnType<typeof shippedPricing>>
beforeAll(async () => {
  fixture = await shippedPricing()
})

async function compare(machine: string, over: Partial<PartialRequest> = {}): Promise<Comparison> {
  const [provider, region, instance_type] = machine.split(' ') as [string, string, string]
  const request = orProblem(
    await completeRequest(fixture.deps, 'nobody', { provider, region, instance_type, ...over }),
  )
  return compareMachine(fixture.deps, 'nobody', request, '2026-11-15').then(orProblem)
}

const offersOf = ({ options }: Comparison, effort: Effort) =>
  options.find((option) => option.effort === effort)?.offers ?? []

test.each([
  ['aws us-east-1 t3.medium', 't3a.medium', 0.4],
  ['azure westeurope Standard_B2ms', 'Standard_B2as_v2', 0.6],
])(
  '%s, of unknown usage, is compared with what sustains as much: %s',
  async (machine, sibling, sustained) => {
    const comparison = await compare(machine)
    expect(comparison.current.usage.cpu_cores).toBeCloseTo(sustained, 5)
    expect(comparison.current.required).toEqual(comparison.current.vm)
    expect(offersOf(comparison, 'resize').map((offer) => offer.instance_type)).toContain(sibling)
  },
)

test('a commitment for the unchanged machine is listed with a cheaper one, for every term', async () => {
  const comparison = await compare('aws us-east-1 m5.xlarge', { usage: { cpu_cores: 1.5, ram_gb: 6 } })
  const byTerm = Map.groupBy(offersOf(comparison, 'commit'), ({ term }) => term)
  expect([...byTerm.keys()]).toEqual(expect.arrayContaining(['1y', '3y']))
  for (const offers of byTerm.values()) {
    expect(offers.map((offer) => offer.instance_type)).toContain('m5.xlarge')
    expect(offers.length).toBeGreaterThan(1)
  }
})

test('offers are in order of the price of a month, and save at least a percent of it', async () => {
  for (const machine of ['gcp europe-west3 n2-standard-4', 'aws us-east-1 r6i.2xlarge']) {
    const { current, options } = await compare(machine)
    for (const { effort, offers } of options) {
      if (effort === 'commit') continue
      const months = offers.map((offer) => offer.cost_per_month)
      expect(Math.min(...months.slice(1), Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(
        months[0]! / 1.011,
      )
      expect(Math.max(...months)).toBeLessThanOrEqual(current.cost_per_month * 0.99)
    }
  }
})

test.each([
  ['aws us-east-1 m4.2xlarge', 'hypervisor', /^m[567]/],
  ['azure westeurope Standard_D8_v3', 'image-generation', /_v[67]$/],
  ['azure westeurope Standard_E16-4s_v5', 'constrained-vcpu-lost', /^Standard_E16(?:-8)?a?s_v5$/],
])('%s: what the operating system or a licence must allow is named: %s', async (machine, change, type) => {
  const { options } = await compare(machine)
  const matching = options
    .filter(({ effort }) => effort === 'resize')
    .flatMap(({ offers }) => offers)
    .filter((offer) => type.test(offer.instance_type))
  expect(matching.length).toBeGreaterThan(0)
  for (const offer of matching) expect(offer.machine.changes).toContain(change)
})

test('usage above what a burstable machine sustains, and a local zone without prices, are noted', async () => {
  const burstable = await compare('aws us-east-1 t3.2xlarge', { usage: { cpu_cores: 5, ram_gb: 20 } })
  expect(burstable.current.notes.join(' ')).toContain('exceeds the 3.2 cores that this burstable machine')
  const local = await compare('aws us-west-2-lax-1 c5.2xlarge')
  expect(local.current.notes.join(' ')).toContain('No price of the local zone us-west-2-lax-1 is known')
})

test('of regions with the same price, the nearest is named', async () => {
  const comparison = await compare('aws us-west-1 m6i.4xlarge')
  const moved = offersOf(comparison, 'region').find((offer) => offer.instance_type === 'm6a.4xlarge')
  expect(moved).toMatchObject({ region: 'us-west-2' })
})

test('another size is paid for in the same way, whichever ways of paying are acceptable', async () => {
  const comparison = await compare('aws us-east-1 m5.4xlarge', {
    usage: { cpu_cores: 3, ram_gb: 12 },
    predicates: { usage_types: ['ondemand', 'spot'] },
  })
  const paid = (effort: Effort) => new Set(offersOf(comparison, effort).map((offer) => offer.usage_type))
  expect(paid('resize')).toEqual(new Set(['ONDEMAND']))
  expect(paid('spot')).toEqual(new Set(['SPOT_PREEMPTIBLE']))
})

test('a machine reserved for a year is compared with one-year prices; three years are a commitment', async () => {
  const comparison = await compare('aws us-east-1 m5.xlarge', { usage_type: 'reserved' })
  expect(comparison.current).toMatchObject({ term: '1y', notes: [expect.stringContaining('commitment')] })
  for (const effort of ['resize', 'provider'] as const) {
    const terms = offersOf(comparison, effort).map(({ term }) => term?.slice(0, 2))
    expect(new Set(terms)).toEqual(new Set(['1y']))
  }
  const longer = offersOf(comparison, 'commit').map(({ term }) => term?.slice(0, 2))
  expect(new Set(longer)).toEqual(new Set(['3y']))
})

test.each([
  'aws us-gov-west-1 m5.large',
  'azure westeurope Standard_D4s_v5',
  'gcp us-central1 n2-standard-4',
])('%s: no option for less than a percent', async (machine) => {
  const { options } = await compare(machine)
  expect(options.length).toBeGreaterThan(0)
  for (const { offers } of options)
    for (const { savings } of offers) expect(savings.percentage).toBeGreaterThanOrEqual(1)
})

test('a custom type has the speed of its family', async () => {
  const usage = { cpu_cores: 1.5, ram_gb: 5 }
  const comparison = await compare('gcp us-central1 n2-custom-4-10240', { usage })
  expect(comparison.current.machine.speed).toMatchObject({ basis: 'same-family' })
  const [first] = offersOf(comparison, 'provider')
  expect(first?.machine.performance?.ratio).toBeGreaterThan(0.9)
  expect(first?.machine.changes).not.toContain('unknown-speed')
})

test('a custom type does not have the network of another size', async () => {
  const { options } = await compare('gcp us-central1 n2-custom-4-10240')
  const changes = options.flatMap(({ offers }) => offers.flatMap(({ machine }) => machine.changes))
  expect(changes).not.toContain('slower-network')
})
