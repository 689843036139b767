import { beforeAll, expect, test } from 'vitest'
import { type SharedService, sharedService } from './service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})

const types = async (query: string, key = service.key) =>
  (await service.request(`/catalogue/types?${query}`, { key })).json
const names = (found: { instance_type: string }[]) => found.map(({ instance_type }) => instance_type)

test('shows the sources and the age of prices', async () => {
  const { json, headers } = await service.request('/catalogue')
  expect(json.providers.map((of: { provider_key: string }) => of.provider_key)).toEqual([
    'aws',
    'azure',
    'gcp',
    'digitalocean',
    'hetzner',
    'ovhcloud',
  ])
  const sum = json.providers.reduce((total: number, of: { offers: number }) => total + of.offers, 0)
  expect(json.offers).toBe(sum)
  for (const of of json.providers) {
    expect(of.sources.length).toBeGreaterThan(0)
    expect(of.newest_day >= of.oldest_day).toBe(true)
  }
  const etag = headers.get('etag')!
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await service.request('/catalogue', { headers: { 'if-none-match': known } })
    expect([again.status, again.text]).toEqual([304, ''])
  }
})

test('search while typing: names that begin with the text first, small types before large ones', async () => {
  const found = await types('q=M5.&limit=3')
  expect(names(found)).toEqual(['m5.large', 'm5.xlarge', 'm5.2xlarge'])
  expect(found[1]).toMatchObject({ provider_key: 'aws', provider: 'AWS', cpu_cores: 4, ram_gb: 16 })
  expect(found[1].regions).toContain('us-east-1')
  expect(found[1].usage_types).toEqual(['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE'])
})

test('search can be limited to a provider, by any of its names, and to a region', async () => {
  const found = await types('q=large&provider=Amazon&region=us-east-1&limit=100')
  expect(new Set(found.map((of: { provider_key: string }) => of.provider_key))).toEqual(new Set(['aws']))
  expect(found[0].regions).toEqual(['us-east-1'])
  expect(await types('q=m5.large&region=nowhere')).toEqual([])
  expect(await types('q=no-such-type')).toEqual([])
})

test('search can be limited to an exact size', async () => {
  const found = await types('cpu_cores=4&ram_gb=16&limit=100')
  expect(found.length).toBeGreaterThan(10)
  for (const of of found) expect(of).toMatchObject({ cpu_cores: 4, ram_gb: 16 })
})

test('search finds own types, and not those of other organisations', async () => {
  const key = async (organisation: string) => {
    const body = { organisation, name: 'test', scopes: ['pricing:read', 'marketplace:write'] }
    return (await service.request('/admin/keys', { body })).json.key as string
  }
  const [own, other] = [await key('own'), await key('other')]
  const entry = { cost_per_hour: 1, cpu_cores: 2, ram_gb: 4, instance_type: 'snug-2', region: 'cellar' }
  await service.request('/marketplace/providers', { body: { name: 'acme', entries: [entry] }, key: own })
  expect(await types('q=snug', own)).toMatchObject([
    { provider_key: 'acme', provider: 'acme', instance_type: 'snug-2', cost_per_hour_from: 1 },
  ])
  expect(await types('q=snug', other)).toEqual([])
})

test('invalid requests are refused', async () => {
  expect((await service.request('/catalogue/types?limit=0')).status).toBe(422)
  expect((await service.request(`/catalogue/types?q=${'x'.repeat(129)}`)).status).toBe(422)
  expect((await service.request('/catalogue/types', { key: null })).status).toBe(401)
})
