import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedService, sharedService } from './service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})

const instance = {
  id: 'i-0abc',
  provider: 'aws',
  service: 'AmazonEC2',
  region: 'us-east-1',
  availability_zone: 'us-east-1a',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'ONDEMAND',
  vm: { cpu_cores: 4, ram_gb: 16 },
}
const usage = { cpu_cores: 1.5, ram_gb: 6 }
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const post = (path: string, body: unknown, headers: Record<string, string> = {}, key = service.key) =>
  service.request(path, { body, headers, key })

const m5Price = {
  id: uuid,
  provider: 'AWS',
  service: 'AmazonEC2',
  region: 'us-east-1',
  availability_zone: '',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'ONDEMAND',
  architecture: 'x86_64',
  cost_per_hour: 0.192,
  cpu_cores: 4,
  ram_gb: 16,
  cpu_cores_cost_per_hour: 0.031304,
  ram_gb_cost_per_hour: 0.004174,
  period_billing_hours: 1,
  currency: 'USD',
  native_cost_per_hour: 0.192,
  gpu_count: 0,
  gpu_type: '',
  gpu_cost_per_hour: 0,
  tags: {},
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
  updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
}

test('the requests of the guide get an answer', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../docs/how-to/call-the-compute-api.md'), 'utf8')
  const requests = [...guide.matchAll(/localhost:8080(\S+) -d '([^']+)'/g)]
  expect(requests.map(([, path]) => path)).toEqual(['/pricing/compute', '/recommendations/compute'])
  for (const [, path, body] of requests) expect((await post(path!, JSON.parse(body!))).status, path).toBe(200)
})

describe('POST /pricing/compute', () => {
  test.each(['/pricing/compute', '/v1/pricing/compute'])('%s: an instance and its price', async (path) => {
    const { status, json } = await post(path, instance)
    expect([status, json]).toEqual([200, m5Price])
    const again = await post(path, { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' })
    expect(again.json).toEqual(json)
  })

  test('POST /pricing answers the same members', async () => {
    const { id: _, ...flat } = instance
    expect((await post('/pricing', flat)).json).toEqual(m5Price)
  })

  test('a GPU, a term, raw data', async () => {
    const { json } = await post('/pricing/compute', {
      provider: 'aws',
      region: 'us-east-1',
      instance_type: 'g4dn.xlarge',
      usage_type: 'RESERVED',
      include_metadata: true,
    })
    expect(json).toMatchObject({ gpu_count: 1, gpu_type: 'NVIDIA T4', period_billing_hours: 8760 })
    expect(json.raw_pricing_data).toMatchObject({ term: '1y', price_source: 'list' })
    const parts = 4 * json.cpu_cores_cost_per_hour + 16 * json.ram_gb_cost_per_hour + json.gpu_cost_per_hour
    expect(parts).toBeCloseTo(json.cost_per_hour, 5)
  })

  test('a zone by name, which differs between accounts: the cheapest price of the region, which is reported', async () => {
    const spot = { ...instance, usage_type: 'spot' }
    const { json } = await post('/pricing/compute', spot)
    expect(json.availability_zone).toMatch(/^use1-az\d$/)
    expect(json.tags).toEqual({
      availability_zone_requested: 'us-east-1a',
      availability_zone_priced: 'cheapest of the region',
    })
    const byId = await post('/pricing/compute', { ...spot, availability_zone: json.availability_zone })
    expect(byId.json).toEqual({ ...json, tags: {} })
  })

  test('candidates for such a zone are those of all zones of the region, in every form of the request', async () => {
    const predicates = { usage_types: ['spot'], availability_zones: ['us-east-1a'], providers: ['aws'] }
    const nested = await post('/recommendations/compute', { instance, usage, predicates })
    const { base: _, ...found } = nested.json as Record<string, { instance_pricing: typeof m5Price }[]>
    const prices = Object.values(found)
      .flat()
      .map(({ instance_pricing }) => instance_pricing)
    expect(prices.length).toBeGreaterThan(3)
    for (const price of prices) {
      expect(price.availability_zone).toMatch(/^use1-az\d$/)
      expect(price.tags).toMatchObject({ availability_zone_requested: 'us-east-1a' })
    }
    expect(nested.headers.get('cheapside-scope')).toMatch(/availability_zones=\("us-east-1a" "use1-az1" /)
    const { id: _id, ...described } = instance
    const flat = await post('/recommendations', { ...described, usage, predicates })
    expect(Object.keys(flat.json)).toEqual(Object.keys(nested.json))
    const best = await post('/v1/recommendations/compute', { instance, usage, predicates })
    expect(best.json[0].pricing).toEqual(prices[0])
    const compared = await post('/v1/comparisons', { ...described, usage, predicates })
    expect(compared.json.current.notes).toContain(
      'us-east-1a is a different zone in each account, so all zones of its region are compared.',
    )
  })

  test('base rates on request, under both names', async () => {
    const vm = { cpu_cores: 4, ram_gb: 16 }
    for (const member of ['fallback_to_base_pricing', 'use_base_pricing']) {
      const { json } = await post('/pricing/compute', { vm, [member]: true })
      expect(json).toMatchObject({ provider: 'Base', cost_per_hour: 0.194236, created_at: null })
    }
    expect((await post('/pricing/compute', { provider: 'base', vm })).json.cost_per_hour).toBe(0.194236)
  })

  test('missing members are reported', async () => {
    const { status, json } = await post('/pricing/compute', { provider: 'aws' })
    expect([status, json.code, json.error]).toEqual([422, 'invalid', json.detail])
    expect(json.errors).toEqual(
      ['/region', '/instance_type'].map((pointer) => ({
        pointer,
        message: 'is required',
        detail: 'is required',
      })),
    )
    const sole = await post('/pricing/compute', { ...instance, usage_type: 'SOLE_TENANCY' })
    expect([sole.status, sole.json.code]).toEqual([404, 'no-price'])
  })

  test.each(['ONDEMAND_CUSTOM', 'CUSTOM', 'EXTENDED'])('%s is on demand', async (usage_type) => {
    const custom = { provider: 'gcp', region: 'us-central1', instance_type: 'n2-custom-6-10240', usage_type }
    expect((await post('/pricing/compute', custom)).json).toMatchObject({
      cost_per_hour: 0.243638,
      usage_type: 'ONDEMAND',
    })
  })
})

describe('recommendations', () => {
  test.each(['/recommendations', '/recommendations/compute'])('%s: a nested request', async (path) => {
    const { status, json, headers } = await post(path, { instance, usage })
    expect(status).toBe(200)
    expect(headers.get('cheapside-scope')).toContain('usage_types=("ONDEMAND")')
    expect(json.base).toEqual([
      {
        instance_pricing: m5Price,
        savings: { percentage: 0, amount_per_hour: 0, amount_per_month: 0, amount_per_year: 0 },
      },
    ])
    const [label, items] = Object.entries(json)[1] as [string, Record<string, never>[]]
    expect(items[0]).toEqual({
      instance_pricing: {
        ...Object.fromEntries(Object.keys(m5Price).map((member) => [member, expect.anything()])),
        instance_type: label,
      },
      vm: { cpu_cores: expect.any(Number), ram_gb: expect.any(Number) },
      savings: expect.objectContaining({ percentage: expect.any(Number) }),
    })
  })

  const machines: [string, object][] = [
    ['AWS', {}],
    ['Windows', { operating_system: 'Windows' }],
    ['spot', { usage_type: 'SPOT_PREEMPTIBLE' }],
    ['reserved', { usage_type: 'RESERVED', instance_type: 'r5.2xlarge', vm: { cpu_cores: 8, ram_gb: 64 } }],
    [
      'Azure',
      {
        provider: 'azure',
        service: '',
        region: 'eastus',
        instance_type: 'Standard_D4s_v5',
        availability_zone: '1',
      },
    ],
    [
      'GCP custom',
      { provider: 'gcp', service: '', region: 'us-central1', instance_type: 'n2-custom-6-10240' },
    ],
    ['GPU', { instance_type: 'g4dn.xlarge' }],
    ['no cloud', { provider: 'base', service: '' }],
  ]
  const predicates: object[] = [
    {},
    { providers: ['hetzner', 'gcp'] },
    { usage_types: ['*'], regions: ['eu-west-1'] },
    { instance_types: ['m5.large', 't3.large'] },
  ]
  test.each(machines)('%s: the nested and the flat request give the same offers', async (_, over) => {
    for (const limits of predicates)
      for (const include_metadata of [false, true]) {
        const { id, ...described } = { ...instance, ...over }
        const rest = { usage, predicates: limits, include_metadata, limit: 50, offers_per_type: 5 }
        const flat = await post('/recommendations', { ...described, ...rest })
        const nested = await post('/recommendations', { instance: { id, ...described }, ...rest })
        expect([flat.status, nested.status]).toEqual([200, 200])
        expect(nested.headers.get('cheapside-scope')).toBe(flat.headers.get('cheapside-scope'))
        expect(nested.json).toMatchObject(withoutNullVm(flat.json))
        expect(Object.keys(nested.json)).toEqual(Object.keys(flat.json))
      }
  })

  test('services and operating systems', async () => {
    const offers = async (limits: object, over: object = {}) => {
      const body = { instance: { ...instance, ...over }, usage, predicates: limits, limit: 200 }
      const { json } = await post('/recommendations/compute', body)
      const { base: _, ...groups } = json as Record<string, { instance_pricing: typeof m5Price }[]>
      return Object.values(groups).flatMap((items) => items.map((item) => item.instance_pricing))
    }
    const droplets = await offers({ services: ['droplet', 'ComputeEngine'] })
    expect(new Set(droplets.map(({ provider }) => provider))).toEqual(new Set(['DigitalOcean', 'GCP']))
    expect(await offers({ services: ['Droplet'], providers: ['gcp'] })).toEqual([])
    const systems = await offers({ operating_systems: ['Linux'] }, { operating_system: 'Windows' })
    expect(new Set(systems.map((offer) => offer.operating_system))).toEqual(new Set(['Linux']))
    const unknown = { instance, predicates: { services: ['Nonesuch'], operating_systems: ['BeOS'] } }
    const { status, json } = await post('/recommendations/compute', unknown)
    expect([status, json.errors[0].pointer]).toEqual([422, '/predicates/operating_systems/0'])
  })

  test('the cheapest of each provider, or 404', async () => {
    const { status, json } = await post('/v1/recommendations/compute', { instance, usage })
    expect(status).toBe(200)
    const providers = json.map(({ pricing }: { pricing: typeof m5Price }) => pricing.provider)
    expect(new Set(providers).size).toBe(providers.length)
    expect(providers).toEqual(expect.arrayContaining(['AWS', 'Azure', 'GCP']))
    const prices = json.map(({ pricing }: { pricing: typeof m5Price }) => pricing.cost_per_hour)
    expect(prices).toEqual(prices.toSorted((a: number, b: number) => a - b))
    expect(Object.keys(json[0].pricing).sort()).toEqual(Object.keys(m5Price).sort())
    expect(json[0].savings.amount_per_hour).toBeGreaterThan(0)
    const nothing = { instance, usage, predicates: { instance_types: ['p4d.24xlarge'] } }
    const none = await post('/v1/recommendations/compute', nothing)
    expect([none.status, none.json.code]).toEqual([404, 'not-found'])
  })

  test.each([
    ['/recommendations/compute', 'nested'],
    ['/v1/recommendations/compute', 'nested'],
    ['/v1/comparisons', 'flat'],
  ])('%s refuses predicates with names that nothing has', async (path, shape) => {
    const predicates = { providers: ['aws', 'gpc'], regions: ['us-east-9'], instance_types: ['D4s_v5'] }
    const { status, json } = await post(
      path,
      shape === 'flat' ? { ...instance, predicates } : { instance, predicates },
    )
    expect(status).toBe(422)
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/predicates/providers/1',
      '/predicates/regions/0',
      '/predicates/instance_types/0',
    ])
    expect(json.nearest).toMatchObject({
      providers: expect.arrayContaining(['GCP']),
      regions: expect.arrayContaining(['us-east-1']),
      instance_types: ['Standard_D4s_v5'],
    })
    const any = await post('/recommendations', { instance, predicates })
    expect([any.status, Object.keys(any.json)]).toEqual([200, ['base']])
  })

  test('faults are reported by their place in the nested body', async () => {
    const { status, json } = await post('/recommendations', {
      instance: { ...instance, operating_system: 'BeOS', usage_type: 'barter' },
    })
    expect(status).toBe(422)
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/instance/operating_system',
      '/instance/usage_type',
    ])
    const typed = await post('/recommendations', { instance: { region: 7 }, predicates: { colour: [] } })
    expect(typed.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(['/instance/region', '/predicates/colour']),
    )
    const missing = await post('/recommendations/compute', { instance: {} })
    expect(missing.json.errors[0]).toMatchObject({ pointer: '/instance/provider', message: 'is required' })
  })
})

describe('variants that clients send', () => {
  test('null where a member may be absent', async () => {
    const { status, json } = await post('/pricing/compute', {
      ...instance,
      id: null,
      service: null,
      vm: null,
      use_base_pricing: null,
      operating_system: null,
    })
    expect([status, json]).toEqual([200, m5Price])
    const question = {
      instance: { ...instance, vm: { cpu_cores: null, ram_gb: 16 } },
      usage: null,
      predicates: null,
    }
    expect((await post('/recommendations', question)).status).toBe(200)
    const required = await post('/pricing', { ...instance, region: null })
    expect(required.status).toBe(422)
  })

  test.each<[string, (key: string) => Record<string, string>]>([
    ['Authorization without a scheme', (key) => ({ authorization: key })],
    ['Authorization: Bearer', (key) => ({ authorization: `Bearer ${key}` })],
    ['X-API-Key: Bearer', (key) => ({ 'x-api-key': `Bearer ${key}` })],
    [
      'a bearer token with an empty X-API-Key',
      (key) => ({ 'x-api-key': '', authorization: `Bearer ${key}` }),
    ],
  ])('a key as %s', async (_, headers) => {
    expect((await post('/pricing/compute', instance, headers(service.key), '')).status).toBe(200)
    expect((await post('/pricing/compute', instance, headers('csk_wrong'), '')).status).toBe(401)
  })

  test('JSON without a Content-Type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(instance))
    const { status, json } = await service.request('/pricing/compute', { body })
    expect([status, json]).toEqual([200, m5Price])
    const broken = await service.request('/pricing/compute', { body: new TextEncoder().encode('{') })
    expect([broken.status, broken.json.code]).toEqual([400, 'not-json'])
  })
})

/** Members of the flat answer that the nested one must have too. */
function withoutNullVm(flat: Record<string, { vm: unknown }[]>): object {
  return Object.fromEntries(
    Object.entries(flat).map(([label, items]) => [
      label,
      items.map(({ vm, ...item }) => (vm === null ? item : { vm, ...item })),
    ]),
  )
}
