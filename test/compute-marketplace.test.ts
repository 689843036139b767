import { beforeAll, describe, expect, test } from 'vitest'
import { type RequestOptions, type SharedService, sharedService } from './service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Sends requests as a new organisation. */
async function newOrganisation(name = `org-${crypto.randomUUID()}`) {
  const body = { organisation: name, name: 'test', scopes: ['pricing:read', 'marketplace:write'] }
  const { key } = (await service.request('/admin/keys', { body })).json
  return {
    name,
    ask: (path: string, options: RequestOptions = {}) => service.request(path, { key, ...options }),
  }
}

const snug = {
  cost_per_hour: 0.0625,
  cpu_cores: 2,
  ram_gb: 4,
  usage_type: 'ONDEMAND',
  instance_type: 'snug',
  region: 'cellar',
  service: 'Rooms',
  operating_system: 'Linux',
  availability_zone: '',
  raw_pricing_data: { sku: 7 },
}
const snugPrice = (provider: string) => ({
  ...snug,
  id: uuid,
  provider,
  architecture: '',
  cpu_cores_cost_per_hour: 0.024671,
  ram_gb_cost_per_hour: 0.003289,
  period_billing_hours: 1,
  currency: 'USD',
  native_cost_per_hour: 0.0625,
  gpu_count: 0,
  gpu_type: '',
  gpu_cost_per_hour: 0,
  tags: {},
  created_at: time,
  updated_at: time,
})
const compute = '/marketplace/providers/compute'
const v1 = '/v1/marketplace/compute'

test.each(['aws', 'base', 'models', 'gcp'])('an organisation named %s has prices too', async (name) => {
  const { ask } = await newOrganisation(name)
  const { status, json } = await ask(v1, { body: snug })
  expect([status, json.data.provider]).toEqual([201, `${name}-own`])
  const question = { provider: `${name}-own`, region: 'cellar', instance_type: 'snug' }
  expect((await ask('/v1/pricing/compute', { body: question })).json.cost_per_hour).toBe(0.0625)
})

describe(compute, () => {
  test('registers under the organisation, and keeps the id of entries that are registered again', async () => {
    const { name, ask } = await newOrganisation()
    const body = {
      entries: [snug, { ...snug, instance_type: 'wide', service: null, availability_zone: null }],
    }
    const first = await ask(compute, { body })
    expect([first.status, first.json]).toEqual([
      200,
      {
        status: 'Registered',
        entries: [snugPrice(name), { ...snugPrice(name), instance_type: 'wide', service: name }],
      },
    ])
    const again = await ask(compute, { body: { entries: [{ ...snug, cost_per_hour: 0.05 }] } })
    expect(again.json.entries).toMatchObject([{ id: first.json.entries[0].id, cost_per_hour: 0.05 }])
    expect((await ask('/marketplace/providers')).json.providers).toContainEqual({
      provider: name,
      service: 'Rooms',
    })
    const priced = await ask('/pricing/compute', {
      body: { provider: name, region: 'cellar', instance_type: 'snug', service: 'Rooms' },
    })
    expect(priced.json).toMatchObject({ id: first.json.entries[0].id, cost_per_hour: 0.05, created_at: null })
  })

  test('lists by filter and offset, and deletes by id', async () => {
    const { name, ask } = await newOrganisation()
    const types = ['a', 'b', 'c', 'd']
    const entries = types.map((instance_type, i) => ({ ...snug, instance_type, region: `r${i % 2}` }))
    await ask(compute, { body: { entries } })
    const listed = async (query: string) =>
      (await ask(`${compute}${query}`)).json.providers.map((entry: typeof snug) => entry.instance_type)
    expect((await ask(`${compute}?instance_type=a`)).json).toEqual({
      providers: [{ ...snugPrice(name), instance_type: 'a', region: 'r0' }],
    })
    expect(await listed('')).toEqual(['a', 'c', 'b', 'd'])
    expect(await listed('?limit=2&offset=1')).toEqual(['c', 'b'])
    expect(await listed('?region=r1&usage_type=on-demand&service=Rooms')).toEqual(['b', 'd'])
    expect((await ask(`${compute}?usage_type=barter`)).status).toBe(422)
    const { id } = (await ask(`${compute}?instance_type=c`)).json.providers[0]
    const removed = await ask(`${compute}?id=${id}`, { method: 'DELETE' })
    expect(removed.json).toEqual({
      status: 'Deleted',
      entries: [{ ...snugPrice(name), id, instance_type: 'c', region: 'r0' }],
    })
    expect((await ask(`${compute}?id=${id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await listed('')).toEqual(['a', 'b', 'd'])
  })

  test('registers all entries or none, and only prices in US dollars', async () => {
    const { ask } = await newOrganisation()
    const bad = await ask(compute, { body: { entries: [snug, { ...snug, instance_type: 'x', ram_gb: 0 }] } })
    expect([bad.status, bad.json.errors[0].pointer]).toEqual([422, '/entries/1/ram_gb'])
    const euro = await ask(compute, { body: { entries: [{ ...snug, currency: 'EUR' }] } })
    expect([euro.status, euro.json.errors[0].pointer]).toEqual([422, '/entries/0/currency'])
    for (const body of [{}, { entries: 7 }, { entries: [] }, { entries: [null] }, []])
      expect((await ask(compute, { body })).status).toBe(422)
    expect((await ask(compute)).json).toEqual({ providers: [] })
  })
})

describe(v1, () => {
  test('one entry: created, shown, changed, removed', async () => {
    const { name, ask } = await newOrganisation()
    const created = await ask(v1, { body: snug })
    expect([created.status, created.json]).toEqual([201, { data: snugPrice(name) }])
    const address = created.headers.get('location')!
    expect(address).toBe(`${v1}/${created.json.data.id}`)
    expect((await ask(address)).json).toEqual(created.json.data)
    const changed = await ask(address, {
      method: 'PATCH',
      body: { cost_per_hour: 0.03125, instance_type: 'nook', region: null },
    })
    expect([changed.status, changed.json]).toEqual([
      200,
      {
        ...created.json.data,
        cost_per_hour: 0.03125,
        native_cost_per_hour: 0.03125,
        instance_type: 'nook',
        cpu_cores_cost_per_hour: 0.012336,
        ram_gb_cost_per_hour: 0.001645,
        updated_at: time,
      },
    ])
    const question = { provider: name, region: 'cellar', instance_type: 'nook' }
    expect((await ask('/v1/pricing/compute', { body: question })).json.cost_per_hour).toBe(0.03125)
    const removed = await ask(address, { method: 'DELETE' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expect((await ask(address, { method })).status).toBe(404)
    expect((await ask(address, { method: 'PATCH', body: {} })).status).toBe(404)
    expect((await ask('/v1/pricing/compute', { body: question })).status).toBe(404)
  })

  test('several entries at once', async () => {
    const { name, ask } = await newOrganisation()
    const created = await ask(v1, { body: { entries: [snug, { ...snug, instance_type: 'wide' }] } })
    expect([created.status, created.json]).toEqual([
      201,
      { data: [snugPrice(name), { ...snugPrice(name), instance_type: 'wide' }] },
    ])
    const bad = await ask(v1, { body: { entries: [{ ...snug, ram_gb: 0 }] } })
    expect([bad.status, bad.json.errors[0].pointer]).toEqual([422, '/entries/0/ram_gb'])
  })

  test('refuses an empty change, and one that conflicts with another entry', async () => {
    const { ask } = await newOrganisation()
    const { data } = (await ask(v1, { body: snug })).json
    await ask(v1, { body: { ...snug, instance_type: 'wide' } })
    const change = (body: unknown) => ask(`${v1}/${data.id}`, { method: 'PATCH', body })
    const taken = await change({ instance_type: 'wide' })
    expect([taken.status, taken.json.code]).toEqual([409, 'conflict'])
    const faults: [object, string][] = [
      [{ ram_gb: 0 }, '/ram_gb'],
      [{ price: 1, colour: 'red' }, '/price'],
      [{ provider: 'other' }, '/provider'],
      [{ instance_type: 'base' }, '/instance_type'],
      [{ usage_type: 'barter' }, '/usage_type'],
    ]
    for (const [body, pointer] of faults) expect((await change(body)).json.errors[0].pointer).toBe(pointer)
    const bad = await ask(v1, { body: { ...snug, region: '' } })
    expect([bad.status, bad.json.errors[0].pointer]).toEqual([422, '/region'])
    expect((await ask(`${v1}/${data.id}`)).json).toEqual(data)
  })

  test('pages, each with the cursor of the next', async () => {
    const { ask } = await newOrganisation()
    const entries = ['a', 'b', 'c'].map((instance_type) => ({ ...snug, instance_type }))
    await ask(compute, { body: { entries } })
    const first = (await ask(`${v1}?limit=2`)).json
    expect(first.page).toEqual({ has_more: true, next_cursor: expect.any(String) })
    const second = (await ask(`${v1}?limit=2&cursor=${first.page.next_cursor}`)).json
    expect(second.page).toEqual({ has_more: false, next_cursor: null })
    const types = [...first.data, ...second.data].map((entry: typeof snug) => entry.instance_type)
    expect(types).toEqual(['a', 'b', 'c'])
    expect((await ask(`${v1}?cursor=x`)).json.errors[0].pointer).toBe('?cursor')
    for (const limit of [0, 1001]) expect((await ask(`${v1}?limit=${limit}`)).status).toBe(422)
    expect((await ask(`${v1}?instance_type=b`)).json.data).toHaveLength(1)
  })

  test('lists the values of filters', async () => {
    const { ask } = await newOrganisation()
    expect((await ask('/v1/marketplace/filters/compute')).json).toEqual({
      kind: 'compute',
      filters: ['service', 'region', 'instance_type', 'usage_type'],
    })
  })

  test("nobody sees or changes another organisation's entries", async () => {
    const [one, two] = [await newOrganisation(), await newOrganisation()]
    const { data } = (await one.ask(v1, { body: snug })).json
    expect((await two.ask(v1)).json.data).toEqual([])
    expect((await two.ask(compute)).json.providers).toEqual([])
    const address = `${v1}/${data.id}`
    expect((await two.ask(address)).status).toBe(404)
    expect((await two.ask(address, { method: 'PATCH', body: { ram_gb: 1 } })).status).toBe(404)
    expect((await two.ask(address, { method: 'DELETE' })).status).toBe(404)
    expect((await two.ask(`${compute}?id=${data.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await one.ask(address)).json).toEqual(data)
  })
})

test.each(['databases', 'models'])('there are no prices of %s', async (kind) => {
  const { ask } = await newOrganisation()
  const body = { entries: [] }
  const answers = [
    await ask(`/pricing/${kind}`, { body }),
    await ask(`/v1/pricing/${kind}`, { body }),
    await ask(`/recommendations/${kind}`, { body }),
    await ask(`/v1/recommendations/${kind}`, { body }),
    await ask(`/marketplace/providers/${kind}`, { body }),
    await ask(`/marketplace/providers/${kind}`),
    await ask(`/v1/marketplace/${kind}`),
    await ask(`/v1/marketplace/${kind}/x`, { method: 'DELETE' }),
    await ask(`/v1/marketplace/filters/${kind}`),
  ]
  for (const { status, json } of answers)
    expect([status, json.error]).toEqual([
      404,
      `No prices are available for ${kind}, only for compute instances and disks.`,
    ])
})

describe('disks', () => {
  const disks = '/marketplace/providers/disks'
  const row = {
    provider: 'mine',
    service: 'Shelves',
    region: 'cellar',
    availability_zone: '',
    type: 'shelf',
    usage_type: 'ONDEMAND',
    cost_per_gb_hour: 0.0001,
    cost_per_iops_hour: 0.00001,
    cost_per_throughput_mbps_hour: 0,
    min_capacity_gb: 1,
    max_capacity_gb: 1000,
    min_iops: 3000,
    max_iops: 16000,
    min_throughput_mbps: 125,
    max_throughput_mbps: null,
    period_billing_hours: 1,
    raw_pricing_data: { sku: 7 },
    tags: { team: 'a' },
  }
  const registered = (provider: string) => ({
    ...row,
    id: uuid,
    provider,
    created_at: time,
    updated_at: time,
  })

  test('own prices: registered, listed, used, removed', async () => {
    const { name, ask } = await newOrganisation()
    const first = await ask(disks, {
      body: { entries: [row, { ...row, type: 'rack', tags: null, service: null }] },
    })
    expect([first.status, first.json]).toEqual([
      200,
      {
        status: 'Registered',
        entries: [registered(name), { ...registered(name), type: 'rack', tags: {}, service: name }],
      },
    ])
    const again = await ask(disks, { body: { entries: [{ ...row, cost_per_gb_hour: 0.0002 }] } })
    const { id } = first.json.entries[0]
    expect(again.json.entries).toMatchObject([{ id, cost_per_gb_hour: 0.0002 }])
    expect((await ask(disks)).json.providers).toMatchObject([{ id, type: 'shelf' }, { type: 'rack' }])

    const disk = { provider: name, region: 'cellar', type: 'shelf', capacity_gb: 100, iops: 4000 }
    const priced = await ask('/pricing/disks', { body: { ...disk, include_metadata: true } })
    // 100 x 0.0002 + 1,000 x 0.00001
    expect(priced.json).toMatchObject({
      id,
      raw_pricing_data: { cost_per_hour: 0.03, registered: { sku: 7 } },
    })
    const found = (await ask('/recommendations/disks', { body: { instance: disk } })).json
    expect(Object.keys(found)).toEqual(['base', 'rack'])
    const other = await newOrganisation()
    expect((await other.ask(disks)).json).toEqual({ providers: [] })
    expect((await other.ask(`${disks}?id=${id}`, { method: 'DELETE' })).status).toBe(404)
    const removed = await ask(`${disks}?id=${id}`, { method: 'DELETE' })
    expect(removed.json).toMatchObject({ status: 'Deleted', entries: [{ id }] })
    expect((await ask(disks)).json.providers).toMatchObject([{ type: 'rack' }])
  })

  test('registers all or none', async () => {
    const { ask } = await newOrganisation()
    const faults: [object, string][] = [
      [{ ...row, cost_per_gb_hour: -1 }, '/entries/1/cost_per_gb_hour'],
      [{ ...row, type: 'base' }, '/entries/1/type'],
      [{ ...row, usage_type: 'barter' }, '/entries/1/usage_type'],
      [{ ...row, max_iops: 1 }, '/entries/1/max_iops'],
      [row, '/entries/1'],
    ]
    for (const [entry, pointer] of faults) {
      const bad = await ask(disks, { body: { entries: [row, entry] } })
      expect([bad.status, bad.json.errors[0].pointer]).toEqual([422, pointer])
    }
    for (const body of [{}, { entries: [] }, { entries: [null] }])
      expect((await ask(disks, { body })).status).toBe(422)
    expect((await ask(disks)).json).toEqual({ providers: [] })
  })

  test('recommends cheaper disks in the shape of machines, with base first', async () => {
    const { ask } = await newOrganisation()
    const instance = {
      id: 'vol-1',
      provider: 'AWS',
      service: 'AmazonEC2',
      region: 'us-east-1',
      availability_zone: 'us-east-1a',
      type: 'gp2',
      usage_type: 'ONDEMAND',
      capacity_gb: 500,
      iops: null,
      throughput_mbps: null,
      fallback_to_base_pricing: false,
    }
    const body = {
      instance,
      usage: { ...instance, capacity_gb: 80, iops: 200, throughput_mbps: 10 },
      predicates: {},
    }
    const { status, json } = await ask('/recommendations/disks', { body })
    expect([status, Object.keys(json)]).toEqual([200, ['base', 'gp3']])
    const none = { percentage: 0, amount_per_hour: 0, amount_per_month: 0, amount_per_year: 0 }
    expect(json.base).toEqual([{ disk: instance, disk_pricing: expect.anything(), savings: none }])
    expect(Object.keys(json.gp3[0].disk_pricing).sort()).toEqual(Object.keys(registered('')).sort())
    expect(json.gp3).toMatchObject([
      {
        disk: instance,
        disk_pricing: {
          provider: 'AWS',
          type: 'gp3',
          cost_per_gb_hour: 0.000109589041,
          min_iops: 3000,
          raw_pricing_data: {},
        },
        savings: { percentage: 20, amount_per_month: 10, amount_per_year: 120 },
      },
    ])
    const far = {
      ...body,
      include_metadata: true,
      predicates: { providers: ['gcp'], instance_types: ['pd-standard'] },
    }
    const elsewhere = (await ask('/recommendations/disks', { body: far })).json
    expect(elsewhere['pd-standard'][0].disk_pricing.raw_pricing_data).toMatchObject({
      billed_capacity_gb: 500,
      changes: ['provider', 'region', 'type', 'hdd'],
    })
    const typo = await ask('/recommendations/disks', { body: { ...body, predicates: { provider: ['gcp'] } } })
    expect(typo.status).toBe(422)
  })

  test('says what is unknown', async () => {
    const { ask } = await newOrganisation()
    const gp3 = { provider: 'aws', region: 'us-east-1', type: 'gp3', capacity_gb: 10 }
    const status = async (change: object) => {
      const answer = await ask('/pricing/disks', { body: { ...gp3, ...change } })
      return `${answer.status} ${answer.json.code}`
    }
    expect(await status({ provider: 'nobody' })).toBe('404 unknown-provider')
    expect(await status({ region: 'moon' })).toBe('404 unknown-region')
    expect(await status({ type: 'gp9' })).toBe('404 unknown-instance-type')
    expect(await status({ iops: 99_999 })).toBe('404 no-price')
    expect(await status({ type: 'io1' })).toBe('422 invalid')
    expect(await status({ capacity_gb: null })).toBe('422 invalid')
    const base = await ask('/pricing/disks', {
      body: { ...gp3, type: 'gp9', fallback_to_base_pricing: true },
    })
    expect(base.json).toMatchObject({ provider: 'Base', type: 'gp9', cost_per_gb_hour: 0.00005479452 })
  })

  test('lists types with the price in a region', async () => {
    const { ask } = await newOrganisation()
    const types = (await ask('/v1/disk_types?provider=azure&region=westeurope')).json
    expect(types).toContainEqual(expect.objectContaining({ type: 'Premium_LRS', tier: 'P10', max_iops: 500 }))
    expect((await ask('/v1/disk_types?limit=3')).json).toHaveLength(3)
    expect((await ask('/v1/disk_types?provider=nobody')).status).toBe(404)
  })
})
