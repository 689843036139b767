import { beforeAll, describe, expect, test } from 'vitest'
import type { ResultItem } from '../src/pricing/answer/answer.ts'
import { exampleRequest } from './example-request.ts'
import { type Answer, type SharedService, sharedService } from './service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})

/** A key of a new organisation. */
const newKey = async (scopes = ['pricing:read', 'marketplace:write']): Promise<string> =>
  (await service.newKey(scopes)).key

const m5 = { ...exampleRequest(), availability_zone: 'us-east-1a' }
const recommend = (over: object = {}, key = service.key): Promise<Answer> =>
  service.request('/recommendations', { body: { ...m5, ...over }, key })
const register = (key: string, name: string, entries: unknown): Promise<Answer> =>
  service.request('/marketplace/providers', { body: { name, entries }, key })
const entry = (over: object = {}) => ({
  cost_per_hour: 0.0625,
  cpu_cores: 2,
  ram_gb: 4,
  usage_type: 'ONDEMAND',
  instance_type: 'snug',
  region: 'cellar',
  raw_pricing_data: {},
  provider: 'acme',
  service: 'Rooms',
  operating_system: 'Linux',
  availability_zone: '',
  ...over,
})
const labels = ({ json }: Answer) => Object.keys(json)

describe('real prices', () => {
  test.each<[string, object, number, string]>([
    ['AWS on demand', {}, 0.192, 'AWS'],
    ['AWS Windows', { operating_system: 'Windows' }, 0.376, 'AWS'],
    ['AWS reserved', { usage_type: 'reserved' }, 0.121, 'AWS'],
    [
      'Azure',
      { provider: 'Azure', service: 'AzureCompute', region: 'eastus', instance_type: 'Standard_D4s_v5' },
      0.192,
      'Azure',
    ],
    [
      'GCP',
      { provider: 'google', service: 'ComputeEngine', region: 'us-central1', instance_type: 'n2-standard-4' },
      0.194236,
      'GCP',
    ],
    [
      'a GCP custom type',
      { provider: 'gcp', service: '', region: 'us-central1', instance_type: 'n2-custom-6-10240' },
      0.243638,
      'GCP',
    ],
    [
      'DigitalOcean',
      { provider: 'do', service: 'Droplet', region: 'nyc1', instance_type: 's-4vcpu-8gb' },
      0.07143,
      'DigitalOcean',
    ],
    [
      'no cloud',
      { provider: 'base', service: 'BaseCompute', region: '', instance_type: '' },
      0.194236,
      'Base',
    ],
  ])('%s', async (_, over, usd, provider) => {
    const { status, json, text } = await recommend(over)
    expect(status).toBe(200)
    expect(text.startsWith('{"base":[{"instance_pricing":{"cpu_cores_cost_per_hour":')).toBe(true)
    expect(json.base).toHaveLength(1)
    expect(json.base[0]).toMatchObject({
      instance_pricing: { cost_per_hour: usd, provider },
      vm: null,
      savings: { percentage: 0, amount_per_hour: 0, amount_per_month: 0, amount_per_year: 0 },
    })
    const priced = await service.request('/pricing', { body: { ...m5, ...over } })
    expect(priced.json).toMatchObject(json.base[0].instance_pricing)
  })

  test('every candidate is large enough, costs less, and has consistent amounts', async () => {
    const { json } = await recommend({ limit: 200, offers_per_type: 50 })
    const groups = Object.entries<ResultItem[]>(json).slice(1)
    expect(groups.length).toBeGreaterThan(100)
    let cheapestBefore = 0
    for (const [type, items] of groups) {
      expect(items[0]!.instance_pricing.cost_per_hour).toBeGreaterThanOrEqual(cheapestBefore)
      cheapestBefore = items[0]!.instance_pricing.cost_per_hour
      for (const { instance_pricing: price, vm: size, savings } of items) {
        const vm = size!
        expect(price.instance_type).toBe(type)
        expect(vm.cpu_cores).toBeGreaterThanOrEqual(1.875)
        expect(vm.ram_gb).toBeGreaterThanOrEqual(7.5)
        expect(price.cost_per_hour).toBeLessThan(0.192)
        expect(savings.amount_per_hour).toBeCloseTo(0.192 - price.cost_per_hour, 5)
        expect(savings.amount_per_month).toBeGreaterThan(0)
        const sum = vm.cpu_cores * price.cpu_cores_cost_per_hour + vm.ram_gb * price.ram_gb_cost_per_hour
        expect(Math.abs(sum - price.cost_per_hour)).toBeLessThan(1e-6 * (vm.cpu_cores + vm.ram_gb))
      }
    }
  })

  test('exact rates of a family', async () => {
    const body = {
      ...m5,
      provider: 'gcp',
      service: 'ComputeEngine',
      region: 'us-central1',
      instance_type: 'n2-standard-4',
    }
    const { json } = await service.request('/pricing', { body })
    expect(json).toMatchObject({ cpu_cores_cost_per_hour: 0.031611, ram_gb_cost_per_hour: 0.004237 })
  })

  test('usage beyond the size of the machine is explained', async () => {
    const usage = { cpu_cores: 8, ram_gb: 6 }
    const beyond = await recommend({ usage, include_metadata: true, predicates: { regions: ['*'] } })
    expect(beyond.headers.get('cheapside-scope')).toContain('usage_beyond_vm=?1')
    const [base] = beyond.json.base
    expect(base.instance_pricing.raw_pricing_data.notes).toEqual([
      expect.stringContaining('The usage of 8 cores and 6 GiB exceeds the size of 4 cores and 16 GiB'),
    ])
    const within = await recommend({ include_metadata: true })
    expect(within.headers.get('cheapside-scope')).not.toContain('usage_beyond_vm')
    expect(within.json.base[0].instance_pricing.raw_pricing_data.notes).toEqual([])
  })

  test('the scope is reported, and a limit can be lifted', async () => {
    const near = await recommend()
    expect(near.headers.get('cheapside-scope')).toContain('usage_types=("ONDEMAND"), regions="NA commercial"')
    const items = (answer: Answer) => Object.values(answer.json).flat() as ResultItem[]
    for (const { instance_pricing: price } of items(near)) expect(price.usage_type).toBe('ONDEMAND')
    const lifted = await recommend({ predicates: { usage_types: ['*'], regions: ['*'] } })
    expect(lifted.headers.get('cheapside-scope')).toContain('usage_types="*", regions="*"')
    expect(items(lifted).some(({ instance_pricing: price }) => price.usage_type !== 'ONDEMAND')).toBe(true)
  })

  test('a comparison needs only a machine, and answers by effort', async () => {
    const body = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }
    const { status, json } = await service.request('/v1/comparisons', { body })
    expect(status).toBe(200)
    expect(json.current).toMatchObject({ cost_per_hour: 0.192, usage: { cpu_cores: 4, ram_gb: 16 } })
    const efforts = json.options.map(({ effort }: { effort: string }) => effort)
    expect(efforts).toEqual(
      ['resize', 'region', 'provider', 'commit', 'spot'].filter((e) => efforts.includes(e)),
    )
    expect(efforts).toContain('commit')
    expect(json.left_out.length).toBeGreaterThan(0)
    const unknown = await service.request('/v1/comparisons', { body: { ...body, instance_type: 'm5.xlarg' } })
    expect([unknown.status, unknown.json.code]).toEqual([404, 'unknown-instance-type'])
  })

  test('types are browsed page by page, and shown one by one', async () => {
    const first = await service.request('/v1/instance_types?provider=aws&min_cores=4&sort=-speed&limit=2')
    expect([first.status, first.json.length]).toEqual([200, 2])
    const [next] = /(?<=<)[^>]+/.exec(first.headers.get('link')!)!
    const second = await service.request(next)
    expect(second.json).toHaveLength(2)
    expect(second.json[0].machine.speed.coremark_per_vcpu).toBeLessThanOrEqual(
      first.json[1].machine.speed.coremark_per_vcpu,
    )
    const shown = await service.request('/v1/instance_types/aws/m7a.xlarge?region=us-east-1')
    expect(shown.json).toMatchObject({ cpu_cores: 4, ram_gb: 16, equivalents: { region: 'us-east-1' } })
    expect((await service.request('/v1/instance_types/aws/nothing')).json.code).toBe('unknown-instance-type')
  })

  test('lists regions near a location', async () => {
    const near = await service.request('/v1/regions?near=Frankfurt&limit=3')
    expect(near.json).toHaveLength(3)
    expect(near.json[0]).toMatchObject({ country: 'DE', partition: 'commercial' })
    expect((await service.request('/v1/regions?near=Atlantis')).status).toBe(422)
    const all = await service.request('/v1/regions?provider=hetzner')
    expect(all.json.map(({ region }: { region: string }) => region)).toContain('fsn1')
  })

  test('metadata is added, and nothing else changes', async () => {
    const plain = await recommend()
    const rich = await recommend({ include_metadata: true })
    const raw = rich.json.base[0].instance_pricing.raw_pricing_data
    expect(raw).toMatchObject({
      term: null,
      architecture: 'x86_64',
      gpu: null,
      burstable_baseline: null,
      monthly_cap: null,
    })
    expect(raw.source).not.toBe('')
    expect(raw.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    const stripped = JSON.parse(rich.text, (key, value) => (key === 'raw_pricing_data' ? undefined : value))
    expect(JSON.stringify(stripped)).toBe(JSON.stringify(plain.json))
  })

  test.each([
    [{ predicates: { providers: ['nobody'] } }],
    [{ predicates: { regions: ['nowhere'] } }],
    [{ predicates: { instance_types: ['nothing'] } }],
    [{ usage: { cpu_cores: 100_000, ram_gb: 1 } }],
  ])('nothing matches %j: only base', async (over) => {
    const answer = await recommend(over)
    expect([answer.status, labels(answer)]).toEqual([200, ['base']])
  })
})

describe('calculated examples', () => {
  test('savings and split, on prices of our own', async () => {
    const key = await newKey()
    await register(key, 'acme', [entry(), entry({ instance_type: 'now', cost_per_hour: 0.073981 })])
    const current = {
      provider: 'acme',
      service: 'Rooms',
      region: 'cellar',
      instance_type: 'now',
      vm: { cpu_cores: 2, ram_gb: 4 },
      usage: { cpu_cores: 1, ram_gb: 3 },
    }
    const { json } = await recommend({ ...current, predicates: { providers: ['ACME'] } }, key)
    expect(json.snug).toEqual([
      {
        instance_pricing: {
          cpu_cores_cost_per_hour: 0.024671,
          ram_gb_cost_per_hour: 0.003289,
          cost_per_hour: 0.0625,
          usage_type: 'ONDEMAND',
          instance_type: 'snug',
          region: 'cellar',
          provider: 'acme',
          service: 'Rooms',
          operating_system: 'Linux',
          availability_zone: '',
        },
        vm: { cpu_cores: 2, ram_gb: 4 },
        savings: {
          percentage: 15.519,
          amount_per_hour: 0.011481,
          amount_per_month: 8.381,
          amount_per_year: 100.574,
        },
      },
    ])
  })

  test('a month costs no more than the cap', async () => {
    const { json } = await recommend({ predicates: { instance_types: ['s-4vcpu-8gb'], regions: ['nyc1'] } })
    expect(json['s-4vcpu-8gb'][0].savings).toMatchObject({
      amount_per_hour: 0.12057,
      amount_per_month: 92.16,
    })
  })
})

describe('refused', () => {
  test.each<[string, object, number, string, string[]]>([
    ['unknown provider', { provider: 'awz' }, 404, 'unknown-provider', []],
    ['unknown region', { region: 'us-eest-1' }, 404, 'unknown-region', []],
    ['unknown type', { instance_type: 'm5.xlarg' }, 404, 'unknown-instance-type', []],
    ['unknown system', { operating_system: 'BeOS' }, 422, 'invalid', ['/operating_system']],
    ['unknown usage type', { usage_type: 'x' }, 422, 'invalid', ['/usage_type']],
    [
      'a mistyped predicate',
      { predicates: { region: ['us-east-1'] } },
      422,
      'invalid',
      ['/predicates/region'],
    ],
    ['a string number', { vm: { cpu_cores: '4', ram_gb: 16 } }, 422, 'invalid', ['/vm/cpu_cores']],
    ['a negative number', { usage: { cpu_cores: -1, ram_gb: 6 } }, 422, 'invalid', ['/usage/cpu_cores']],
    ['a huge number', { usage: { cpu_cores: 1e300, ram_gb: 6 } }, 422, 'invalid', ['/usage/cpu_cores']],
    ['null', { usage: null }, 422, 'invalid', ['/usage']],
    ['too many groups', { limit: 201 }, 422, 'invalid', ['/limit']],
    ['a target above one', { target_utilisation: { cpu: 1.1 } }, 422, 'invalid', ['/target_utilisation/cpu']],
    ['a long name', { region: 'r'.repeat(257) }, 422, 'invalid', ['/region']],
  ])('%s', async (_, over, status, code, pointers) => {
    const answer = await recommend(over)
    expect([answer.status, answer.json.code]).toEqual([status, code])
    if (status === 404) expect(Object.values<string[]>(answer.json.nearest).flat().length).toBeGreaterThan(0)
    else expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers)
  })

  test('all missing members are reported', async () => {
    const { status, json } = await service.request('/recommendations', { body: {} })
    expect(status).toBe(422)
    expect(json.errors.map((error: { pointer: string }) => error.pointer.slice(1)).toSorted()).toEqual(
      Object.keys(m5).toSorted(),
    )
  })

  test('unknown members elsewhere are ignored', async () => {
    expect((await recommend({ colour: 'red' })).status).toBe(200)
  })

  test('a number that JSON cannot represent', async () => {
    const body = JSON.stringify(m5).replace('"cpu_cores":4', '"cpu_cores":1e999')
    const headers = { 'content-type': 'application/json' }
    expect((await service.request('/recommendations', { body, headers })).status).toBe(422)
    const nan = body.replace('1e999', 'NaN')
    expect((await service.request('/recommendations', { body: nan, headers })).status).toBe(400)
  })

  test('base rates instead of not found, if requested', async () => {
    const { json } = await recommend({ instance_type: 'of my own', fallback_to_base_pricing: true })
    expect(json.base[0].instance_pricing).toMatchObject({ provider: 'Base', cost_per_hour: 0.194236 })
  })
})

describe('GET /providers', () => {
  test('seven, sorted, without duplicates, base empty', async () => {
    const { json, headers } = await service.request('/providers')
    expect(Object.keys(json)).toEqual(['aws', 'azure', 'gcp', 'digitalocean', 'hetzner', 'ovhcloud', 'base'])
    for (const { predicates } of Object.values<{ predicates: Record<string, string[]> }>(json)) {
      for (const names of Object.values(predicates)) expect(names).toEqual([...new Set(names)].toSorted())
    }
    expect(json.base).toEqual({
      provider: 'Base',
      predicates: {
        regions: [],
        usage_types: [],
        availability_zones: [],
        providers: [],
        operating_systems: [],
        services: [],
      },
    })
    expect(json.aws.predicates).toMatchObject({
      services: ['AmazonEC2'],
      operating_systems: ['Linux', 'Windows'],
    })
    const again = await service.request('/providers', { headers: { 'if-none-match': headers.get('etag')! } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('marketplace', () => {
  test('register, list, show, replace, remove', async () => {
    const key = await newKey()
    expect((await register(key, 'acme', [entry()])).json).toEqual({ Status: 'Registered', Entries: 1 })
    const listed = await service.request('/marketplace/providers', { key })
    expect(listed.json).toEqual({ providers: [{ provider: 'acme', service: 'Rooms' }], count: 1 })
    await register(key, 'acme', [
      entry({ cost_per_hour: 0.05, raw_pricing_data: { sku: 'x' } }),
      entry({ region: 'attic' }),
    ])
    const first = await service.request('/marketplace/providers/acme?limit=1', { key })
    expect(first.json).toEqual([entry({ region: 'attic' })])
    const [, next] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link')!)!
    const second = await service.request(next!, { key })
    expect(second.json).toEqual([entry({ cost_per_hour: 0.05, raw_pricing_data: { sku: 'x' } })])
    expect(second.headers.get('link')).toBeNull()
    const removed = await service.request('/marketplace/providers/acme', { method: 'DELETE', key })
    expect(removed.json).toEqual({ Status: 'Removed', Entries: 2 })
    expect((await service.request('/marketplace/providers', { key })).json).toEqual({
      providers: [],
      count: 0,
    })
    expect((await service.request('/marketplace/providers/acme', { key })).status).toBe(404)
  })

  test('at most ten thousand entries', async () => {
    const key = await newKey()
    const many = (count: number) => Array.from({ length: count }, (_, i) => entry({ instance_type: `t${i}` }))
    expect((await register(key, 'acme', many(10_000))).json).toEqual({
      Status: 'Registered',
      Entries: 10_000,
    })
    const tooMany = await register(key, 'acme', many(10_001))
    expect([tooMany.status, tooMany.json.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/entries', message: 'must not have more than 10000 entries' })],
    ])
  })

  test('all or nothing, every fault reported', async () => {
    const key = await newKey()
    const { status, json } = await register(key, 'aws', [
      entry(),
      entry({ cost_per_hour: -1, region: 'r' }),
      entry(),
      entry({ instance_type: 'base' }),
    ])
    expect(status).toBe(422)
    expect(json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/name',
      '/entries/1/cost_per_hour',
      '/entries/2',
      '/entries/3/instance_type',
    ])
    expect((await service.request('/marketplace/providers', { key })).json.count).toBe(0)
  })

  test('the same registration twice at once', async () => {
    const key = await newKey()
    const entries = Array.from({ length: 500 }, (_, i) => entry({ instance_type: `t${i}` }))
    const answers = await Promise.all([register(key, 'acme', entries), register(key, 'acme', entries)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const page = await service.request('/marketplace/providers/acme?limit=1000', { key })
    expect(page.json).toHaveLength(500)
  })

  test('names like __proto__ and 4 are returned as names, after base', async () => {
    const key = await newKey()
    const names = ['4', '__proto__', 'constructor']
    await register(
      key,
      '__proto__',
      names.map((instance_type) => entry({ instance_type, cpu_cores: 4, ram_gb: 16 })),
    )
    const { text, json } = await recommend({ predicates: { providers: ['__proto__'] } }, key)
    expect(text.indexOf('"base":[')).toBe(1)
    for (const name of names) expect(Object.hasOwn(json, name)).toBe(true)
  })

  test('two organisations: neither sees or uses the prices of the other', async () => {
    const [one, other] = [await newKey(), await newKey()]
    const size = { cpu_cores: 4, ram_gb: 16, cost_per_hour: 0.0001 }
    await register(one, 'secretive', [entry({ instance_type: 'hidden', ...size })])
    await register(other, 'loud', [entry({ instance_type: 'open', ...size })])
    expect(labels(await recommend({ limit: 1 }, one))).toEqual(['base', 'hidden'])
    expect(labels(await recommend({ limit: 1 }, other))).toEqual(['base', 'open'])
    const current = { provider: 'secretive', service: '', region: 'cellar', instance_type: 'hidden' }
    const never = await recommend({ ...current, provider: 'never was' }, other)
    const theirs = await recommend(current, other)
    expect([theirs.status, theirs.json.code, theirs.json.nearest]).toEqual([
      404,
      'unknown-provider',
      never.json.nearest,
    ])
    expect((await service.request('/marketplace/providers/secretive', { key: other })).status).toBe(404)
    expect(
      (await service.request('/marketplace/providers/secretive', { method: 'DELETE', key: other })).status,
    ).toBe(404)
    expect((await recommend(current, one)).status).toBe(200)
  })

  test('a key without the scope', async () => {
    const key = await newKey(['pricing:read'])
    expect((await register(key, 'acme', [entry()])).status).toBe(403)
    expect((await recommend({}, key)).status).toBe(200)
  })
})

test('history of an instance that the catalogue knows', async () => {
  const query =
    'provider=aws&region=us-east-1&instance_type=m5.xlarge&usage_type=ondemand&operating_system=Linux'
  const { status, json } = await service.request(`/pricing/history?${query}`)
  expect(status).toBe(200)
  expect(json.series[0]).toMatchObject({ usage_type: 'ONDEMAND', cost_per_hour: 0.192 })
  expect((await service.request('/pricing/history?provider=aws')).status).toBe(422)
  expect((await service.request(`/pricing/history?${query.replace('m5.xlarge', 'm5.xxl')}`)).status).toBe(404)
})
