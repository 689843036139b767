import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orProblem } from '../domain/not-found.ts'
import type { Problem } from '../domain/problem.ts'
import type { RecommendationResult } from './answer/answer.ts'
import { resultJson } from './answer/encode-answer.ts'
import { recommendOffers, recommendOffersBytes } from './recommend-offers.ts'
import type { RecommendationRequest } from './request/request.ts'
import { openTestMarket, request, type TestMarket } from './test-market.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

/** Checks that both variants of the operation give the same answer. */
async function ask(over: Partial<RecommendationRequest> = {}): Promise<RecommendationResult> {
  const answer = orProblem(await recommendOffers(fixture.pricing, 'acme', request(over)))
  const bytes = orProblem(await recommendOffersBytes(fixture.pricing, 'acme', request(over)))
  expect(new TextDecoder().decode(bytes)).toBe(resultJson(answer))
  return answer
}
const labels = (answer: RecommendationResult) => answer.map(([label]) => label)
const basePrice = (answer: RecommendationResult) => answer[0]![1][0]!.instance_pricing

async function problemOf(over: Partial<RecommendationRequest>): Promise<Problem> {
  return ask(over).then(
    () => expect.unreachable('an answer came back'),
    (problem) => problem,
  )
}

describe('the current instance', () => {
  test.each<[string, Partial<RecommendationRequest>, number, object]>([
    ['on demand', {}, 0.192, { provider: 'AWS', usage_type: 'ONDEMAND', availability_zone: '' }],
    [
      'by other names',
      {
        provider: 'Amazon Web Services',
        service: 'ec2',
        usage_type: 'OnDemand',
        region: 'US-East-1',
        instance_type: 'M5.XLARGE',
      },
      0.192,
      { instance_type: 'm5.xlarge', region: 'us-east-1' },
    ],
    ['its region by a zone of it', { region: 'us-east-1b' }, 0.192, { region: 'us-east-1' }],
    [
      'a type by its short name, a region by its title',
      { provider: 'azure', service: '', region: 'East US', instance_type: 'd2s v5' },
      0.0965,
      { region: 'eastus', instance_type: 'Standard_D2s_v5' },
    ],
    [
      'blank system and service',
      { operating_system: '', service: '' },
      0.192,
      { operating_system: 'Linux', service: 'AmazonEC2' },
    ],
    ['Windows', { operating_system: 'windows' }, 0.376, { operating_system: 'Windows' }],
    ['reserved: the shortest term', { usage_type: 'reserved instance' }, 0.121, { usage_type: 'RESERVED' }],
    [
      'spot in a zone',
      { usage_type: 'spot', availability_zone: 'use1-az1' },
      0.08,
      { availability_zone: 'use1-az1' },
    ],
    ['spot, the zone not known', { usage_type: 'spot' }, 0.07, { availability_zone: 'use1-az2' }],
    [
      'a custom type at the rates of its family',
      {
        provider: 'gcp',
        service: 'ComputeEngine',
        region: 'us-central1',
        instance_type: 'n2-custom-6-10240',
      },
      // (6 x 0.031611 + 10 x 0.004237) x 1.05
      0.243638,
      {
        cpu_cores_cost_per_hour: 0.033192,
        ram_gb_cost_per_hour: 0.004449,
        provider: 'GCP',
        service: 'ComputeEngine',
      },
    ],
    [
      'no cloud',
      {
        provider: 'Base',
        service: 'BaseCompute',
        region: 'cellar',
        instance_type: 'own',
        vm: { cpu_cores: 4, ram_gb: 16 },
      },
      0.194236,
      {
        cpu_cores_cost_per_hour: 0.031611,
        ram_gb_cost_per_hour: 0.004237,
        provider: 'Base',
        service: 'BaseCompute',
        region: 'cellar',
      },
    ],
    [
      'base rates where nothing is known',
      { provider: 'nobody', fallback_to_base_pricing: true },
      0.194236,
      { provider: 'Base', instance_type: 'm5.xlarge' },
    ],
    [
      'base rates where the type is not known',
      { instance_type: 'm99.xlarge', fallback_to_base_pricing: true },
      0.194236,
      { provider: 'Base', instance_type: 'm99.xlarge' },
    ],
    ['no fallback where there is a price', { fallback_to_base_pricing: true }, 0.192, { provider: 'AWS' }],
  ])('%s', async (_, over, usd, more) => {
    const answer = await ask(over)
    expect(answer[0]![1][0]).toMatchObject({
      vm: null,
      savings: { percentage: 0, amount_per_hour: 0, amount_per_month: 0, amount_per_year: 0 },
    })
    expect(basePrice(answer)).toMatchObject({ cost_per_hour: usd, ...more })
  })
})

describe('unknown names', () => {
  test.each<[string, Partial<RecommendationRequest>, string, object]>([
    ['provider', { provider: 'awss' }, 'unknown-provider', { providers: ['AWS'] }],
    ['region', { region: 'us-eats-1' }, 'unknown-region', { regions: ['us-east-1', 'us-west-2'] }],
    [
      'type',
      { instance_type: 'm5.xlarg' },
      'unknown-instance-type',
      { instance_types: ['m5.xlarge', 'm5.large'] },
    ],
    [
      'a type that nothing comes near',
      { instance_type: 'nope' },
      'unknown-instance-type',
      { instance_types: [] },
    ],
    [
      'the type in that region',
      { instance_type: 'm5.large', region: 'eu-west-1' },
      'no-price',
      { usage_types: [], operating_systems: [], regions: ['us-east-1'] },
    ],
    [
      'the usage type',
      { region: 'eu-west-1', usage_type: 'spot' },
      'no-price',
      { usage_types: ['ONDEMAND'], operating_systems: ['Linux'], regions: ['us-east-1'] },
    ],
    [
      'a custom type of a family without rates',
      { provider: 'gcp', service: '', region: 'us-central1', instance_type: 'n1-custom-4-8192' },
      'unknown-instance-type',
      {},
    ],
  ])('%s', async (_, over, code, nearest) => {
    const problem = await problemOf(over)
    expect([problem.code, problem.status]).toEqual([code, 404])
    const given = problem.extra!.nearest as Record<string, string[]>
    for (const [kind, names] of Object.entries(nearest))
      expect(given[kind]!.slice(0, names.length)).toEqual(names)
  })

  test('an empty type name has no suggestions', async () => {
    const problem = await problemOf({ instance_type: '' })
    expect(problem.extra).toEqual({ nearest: { instance_types: [] } })
  })

  test('a custom type that cannot be ordered: the violated rule, and existing types', async () => {
    const problem = await problemOf({
      provider: 'gcp',
      service: '',
      region: 'us-central1',
      instance_type: 'n2-custom-3-10240',
    })
    expect([problem.code, problem.message]).toEqual([
      'unknown-instance-type',
      'The catalogue has no type "n2-custom-3-10240" of GCP: the number of vCPUs must be even.',
    ])
    const { instance_types } = problem.extra!.nearest as { instance_types: string[] }
    expect(instance_types).toContain('n2-standard-2')
  })

  test.each<[string, Partial<RecommendationRequest>, string[]]>([
    ['operating system', { operating_system: 'RHEL' }, ['/operating_system']],
    ['usage type', { usage_type: 'now and then' }, ['/usage_type']],
    ['both at once', { operating_system: 'plan9', usage_type: 'x' }, ['/operating_system', '/usage_type']],
    ['service', { service: 'AmazonRDS' }, ['/service']],
    [
      'usage type in a predicate',
      { predicates: { usage_types: ['spot', 'x'] } },
      ['/predicates/usage_types/1'],
    ],
    [
      'architecture in a predicate',
      { predicates: { architectures: ['vax'] } },
      ['/predicates/architectures/0'],
    ],
    ['a place nobody knows', { predicates: { near: 'Atlantis' } }, ['/predicates/near']],
  ])('unknown words: %s', async (_, over, pointers) => {
    const problem = await problemOf(over)
    expect([problem.status, problem.errors!.map(({ pointer }) => pointer)]).toEqual([422, pointers])
  })
})

describe('the scope', () => {
  const scopeOf = async (over: Partial<RecommendationRequest>): Promise<string> => {
    let told = ''
    await recommendOffersBytes(fixture.pricing, 'acme', request(over), {
      onScope: (scope) => {
        told = scope
      },
    })
    return told
  }
  test.each<[string, Partial<RecommendationRequest>, string[]]>([
    [
      'as the machine is',
      {},
      ['usage_types=("ONDEMAND")', 'regions="NA commercial"', 'local_zones=?0', 'providers="*"'],
    ],
    [
      'lifted',
      { predicates: { regions: ['*'], usage_types: ['*'] } },
      ['usage_types="*"', 'regions="*"', 'local_zones=?0', 'architectures=("x86_64")'],
    ],
    [
      'more names than fit',
      { predicates: { regions: Array.from({ length: 23 }, (_, i) => `r${i}`) } },
      ['"r18" "r19");more=3'],
    ],
    [
      'architectures',
      { predicates: { architectures: ['arm64', 'x86_64'] } },
      ['architectures=("arm64" "x86_64")'],
    ],
    ['any architecture', { predicates: { architectures: ['*'] } }, ['architectures="*"']],
    [
      'named',
      { predicates: { regions: ['eu-west-1', 'x"y\n'], providers: ['aws'], instance_types: ['m5.large'] } },
      ['regions=("eu-west-1" "x\\"y?")', 'providers=("aws")', 'instance_types=("m5.large")'],
    ],
    ['a reservation', { usage_type: 'reserved' }, ['usage_types=("RESERVED"), term="1y"']],
    [
      'names that nobody offers',
      { predicates: { providers: ['gpc'], instance_types: ['m5.lrge', 'm5.large'] } },
      [', unknown=("gpc" "m5.lrge")'],
    ],
    ['usage beyond the size', { usage: { cpu_cores: 5, ram_gb: 6 } }, [', usage_beyond_vm=?1']],
    [
      'a provider that is not near',
      { region: 'eu-west-1', predicates: { providers: ['do'] } },
      ['regions="EU commercial"', 'more_regions=("nyc1")'],
    ],
  ])('%s', async (_, over, parts) => {
    const told = await scopeOf(over)
    for (const part of parts) expect(told).toContain(part)
  })
})

test('a reservation is compared with terms of the same length unless the request names the usage type', async () => {
  expect(labels(await ask({ usage_type: 'reserved' }))).toEqual(['base'])
  const named = await ask({ usage_type: 'reserved', predicates: { usage_types: ['reserved'] } })
  expect(labels(named)).toEqual(['base', 'm5.xlarge'])
  expect(named[1]![1][0]!.instance_pricing.cost_per_hour).toBe(0.09)
})

describe('candidates', () => {
  const onDemand = { usage_types: ['ondemand'] }
  test.each<[string, Partial<RecommendationRequest>, string[]]>([
    // The need is 1.875 cores and 7.5 GiB; a t3.large sustains 0.6 cores.
    [
      'that hold the usage',
      { predicates: onDemand },
      ['s-4vcpu-8gb', 'm5.large', 'Standard_D2s_v5', 'n2-standard-2'],
    ],
    [
      'burstable where the usage is low',
      { predicates: onDemand, usage: { cpu_cores: 0.5, ram_gb: 6 } },
      ['s-4vcpu-8gb', 't3.large', 'm5.large', 'Standard_D2s_v5', 'n2-standard-2'],
    ],
    ['of any usage type', { limit: 2, predicates: { usage_types: ['*'] } }, ['m5.xlarge', 's-4vcpu-8gb']],
    [
      'of an architecture asked for',
      { predicates: { ...onDemand, architectures: ['aarch64'] } },
      ['m6g.large'],
    ],
    ['of a provider', { predicates: { ...onDemand, providers: ['Google Cloud'] } }, ['n2-standard-2']],
    ['in a region', { predicates: { ...onDemand, regions: ['NYC1', 'nowhere'] } }, ['s-4vcpu-8gb']],
    [
      'in a zone whose region has one price',
      { predicates: { ...onDemand, availability_zones: ['us-central1-b'] } },
      ['n2-standard-2'],
    ],
    [
      'in a zone with a price of its own',
      { predicates: { usage_types: ['spot'], availability_zones: ['use1-az1'] } },
      ['m5.xlarge'],
    ],
    ['of a type', { predicates: { ...onDemand, instance_types: ['M5.LARGE'] } }, ['m5.large']],
    [
      'in a zone by a name that may mean another in each account: prices of its region',
      { predicates: { ...onDemand, availability_zones: ['us-east-1a'] } },
      ['m5.large'],
    ],
    [
      'in such a zone the spot prices of all zones of the region',
      { predicates: { usage_types: ['spot'], availability_zones: ['us-east-1a'] } },
      ['m5.xlarge'],
    ],
    [
      'in a zone id that nothing is priced in no spot price',
      { predicates: { usage_types: ['spot'], availability_zones: ['use1-az99'] } },
      [],
    ],
    ['that nothing matches', { predicates: { providers: ['nobody'] } }, []],
    ['of no region', { predicates: { regions: ['nowhere'] } }, []],
    ['of no type', { predicates: { instance_types: ['nope'] } }, []],
    ['of no zone', { predicates: { availability_zones: ['nope'] } }, []],
    [
      'with empty arrays, which limit nothing',
      { predicates: { providers: [], regions: [], usage_types: ['ONDEMAND'] } },
      ['s-4vcpu-8gb', 'm5.large', 'Standard_D2s_v5', 'n2-standard-2'],
    ],
    [
      'fuller',
      { predicates: onDemand, usage: { cpu_cores: 2, ram_gb: 8 }, target_utilisation: { cpu: 1, ram: 1 } },
      ['s-4vcpu-8gb', 'm5.large', 'Standard_D2s_v5', 'n2-standard-2'],
    ],
    ['for an overloaded machine', { predicates: onDemand, usage: { cpu_cores: 5, ram_gb: 6 } }, []],
    ['with Windows', { operating_system: 'Windows' }, []],
    ['no type that has ended', { instance_type: 'p3.2xlarge', vm: { cpu_cores: 8, ram_gb: 61 } }, []],
    [
      'one that has ended where it is named: with as many of the same GPU',
      {
        instance_type: 'p3.2xlarge',
        vm: { cpu_cores: 8, ram_gb: 61 },
        predicates: { instance_types: ['p3.8xlarge', 'g4dn.xlarge'] },
      },
      ['p3.8xlarge'],
    ],
    [
      'by distance',
      { predicates: { ...onDemand, distance_km: 500 } },
      ['s-4vcpu-8gb', 'm5.large', 'Standard_D2s_v5'],
    ],
    [
      'by distance from a place',
      { region: 'eu-west-1', predicates: { ...onDemand, near: 'us-central1', distance_km: 300 } },
      ['n2-standard-2', 'n2-standard-4'],
    ],
    ['on the same continent alone', { region: 'eu-west-1' }, []],
    [
      'on any where that is asked for',
      { region: 'eu-west-1', predicates: { regions: ['*'] } },
      ['s-4vcpu-8gb', 'm5.large', 'Standard_D2s_v5', 'n2-standard-2', 'm5.xlarge', 'n2-standard-4'],
    ],
    [
      'of a provider without a region there: in its nearest',
      { region: 'eu-west-1', predicates: { providers: ['digitalocean'] } },
      ['s-4vcpu-8gb'],
    ],
    [
      'no GPU where there is none',
      {
        provider: 'base',
        service: '',
        vm: { cpu_cores: 400, ram_gb: 16 },
        predicates: { instance_types: ['g4dn.xlarge', 'm6g.large'] },
      },
      ['m6g.large'],
    ],
  ])('%s', async (_, over, types) => {
    expect(labels(await ask(over))).toEqual(['base', ...types])
  })

  test('savings follow the monthly cap', async () => {
    const [, [, [item]]] = (await ask({ predicates: { providers: ['do'] } })) as [
      unknown,
      [string, [{ savings: object; vm: object }]],
    ]
    // 0.192 x 730 - 48
    expect(item.savings).toEqual({
      percentage: 62.797,
      amount_per_hour: 0.12057,
      amount_per_month: 92.16,
      amount_per_year: 1105.92,
    })
    expect(item.vm).toEqual({ cpu_cores: 4, ram_gb: 8 })
  })

  test('limits', async () => {
    const all = await ask({ offers_per_type: 50, limit: 200, predicates: { usage_types: ['*'] } })
    expect(all.find(([label]) => label === 'm5.xlarge')![1]).toHaveLength(4)
    const few = await ask({ offers_per_type: 1, limit: 1 })
    expect(few.map(([, items]) => items.length)).toEqual([1, 1])
  })

  test('metadata never changes which items come back', async () => {
    const plain = await ask()
    const rich = await ask({ include_metadata: true })
    expect(rich.map(([label, items]) => [label, items.length])).toEqual(
      plain.map(([label, items]) => [label, items.length]),
    )
    expect(rich[1]![1][0]!.instance_pricing.raw_pricing_data).toMatchObject({
      source: 'list',
      day: '2026-11-01',
    })
  })
})

test('an empty catalogue has no regions, but base rates', async () => {
  const empty = await openTestMarket([])
  try {
    const ask = (over: Partial<RecommendationRequest>) =>
      recommendOffers(empty.pricing, 'acme', request(over)).then(orProblem)
    await expect(ask({})).rejects.toMatchObject({ code: 'unknown-region' })
    expect(labels(await ask({ provider: 'base', service: '' }))).toEqual(['base'])
  } finally {
    await empty.close()
  }
})
