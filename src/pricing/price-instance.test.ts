import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orProblem } from '../domain/not-found.ts'
import { listProviders } from './list-providers.ts'
import { registerMarketplace } from './own-prices/register-marketplace.ts'
import { priceInstance } from './price-instance.ts'
import type { InstanceDescription } from './request/request.ts'
import { openTestMarket, type TestMarket } from './test-market.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const m5: InstanceDescription = {
  provider: 'aws',
  region: 'us-east-1',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'ONDEMAND',
}
const price = (over: Partial<InstanceDescription> = {}) =>
  priceInstance(fixture.pricing, 'acme', { ...m5, ...over }).then(orProblem)

test('one instance', async () => {
  expect(await price()).toMatchObject({
    cpu_cores_cost_per_hour: 0.031304,
    ram_gb_cost_per_hour: 0.004174,
    cost_per_hour: 0.192,
    usage_type: 'ONDEMAND',
    instance_type: 'm5.xlarge',
    region: 'us-east-1',
    provider: 'AWS',
    service: 'AmazonEC2',
    operating_system: 'Linux',
    availability_zone: '',
  })
  expect(await price({ include_metadata: true })).toHaveProperty('raw_pricing_data.day', '2026-11-01')
})

test('a size that matters and is unknown is requested', async () => {
  const unknown = { instance_type: 'x.unknown' }
  await expect(price(unknown)).rejects.toMatchObject({ code: 'invalid', errors: [{ pointer: '/vm' }] })
  expect(await price({ ...unknown, vm: { cpu_cores: 2, ram_gb: 4 } })).toMatchObject({ cost_per_hour: 0.05 })
  await expect(price({ provider: 'base' })).rejects.toMatchObject({
    code: 'invalid',
    errors: [{ pointer: '/vm' }],
  })
})

test.each([
  ['/vm/cpu_cores', { cpu_cores: 0, ram_gb: 0 }],
  ['/vm/ram_gb', { cpu_cores: 2, ram_gb: 0 }],
])('base rates price no machine without %s', async (pointer, vm) => {
  const refused = { code: 'invalid', errors: [{ pointer }] }
  await expect(price({ provider: 'base', vm })).rejects.toMatchObject(refused)
  const fallback = { instance_type: 'm99.xlarge', fallback_to_base_pricing: true }
  await expect(price({ ...fallback, vm })).rejects.toMatchObject(refused)
  expect(await price({ vm })).toMatchObject({ cost_per_hour: 0.192 })
})

describe('own prices', () => {
  const entry = (instance_type: string, cost_per_hour: number, more: object = {}) => ({
    cost_per_hour,
    cpu_cores: 4,
    ram_gb: 16,
    instance_type,
    region: 'cellar',
    ...more,
  })
  const own = { provider: 'ex', region: 'cellar', instance_type: 'abc' }
  beforeAll(async () => {
    const register = (name: string, entries: object[]) =>
      registerMarketplace(fixture.marketplace, 'acme', { name, entries })
    await register('ex', [
      entry('abc', 0.1),
      entry('Abc', 0.2),
      entry('ABC', 0.05, { usage_type: 'spot' }),
      entry('abc', 0.3, { region: 'Cellar' }),
      entry('abc', 0.4, { availability_zone: 'z' }),
      entry('abc', 0.5, { availability_zone: 'Z' }),
      entry('def', 0.6, { service: 'S' }),
    ])
    await register('EX', [entry('abc', 0.7)])
  })

  test.each<[string, Partial<InstanceDescription>, number]>([
    ['as registered', {}, 0.1],
    ['a type in other letters', { instance_type: 'Abc' }, 0.2],
    ['a type in letters that have no such price', { instance_type: 'ABC' }, 0.1],
    ['a type in letters that nothing has', { instance_type: 'aBC' }, 0.1],
    ['a region in other letters', { region: 'Cellar' }, 0.3],
    ['a zone', { availability_zone: 'z' }, 0.4],
    ['a zone in other letters', { availability_zone: 'Z' }, 0.5],
    ['a provider in other letters', { provider: 'EX' }, 0.7],
  ])('%s', async (_, over, usd) => {
    expect(await price({ ...own, ...over })).toMatchObject({ cost_per_hour: usd })
  })

  test('an error names the service under which the provider has the type', async () => {
    expect(await price({ ...own, instance_type: 'def', service: 's' })).toMatchObject({ cost_per_hour: 0.6 })
    await expect(price({ ...own, instance_type: 'def', service: 'ex' })).rejects.toMatchObject({
      code: 'no-price',
      message: 'ex has "def" there, but as the service "S", not "ex".',
      extra: { nearest: { services: ['S'] } },
    })
  })
})

test('the seven providers are listed as in the catalogue', () => {
  const { providers, json, etag } = listProviders(fixture.pricing)
  expect(Object.keys(JSON.parse(json))).toEqual([
    'aws',
    'azure',
    'gcp',
    'digitalocean',
    'hetzner',
    'ovhcloud',
    'base',
  ])
  expect(providers.aws).toEqual({
    provider: 'AWS',
    predicates: {
      regions: ['eu-west-1', 'us-east-1', 'us-west-2'],
      usage_types: ['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE'],
      availability_zones: ['use1-az1', 'use1-az2'],
      providers: ['AWS'],
      operating_systems: ['Linux', 'Windows'],
      services: ['AmazonEC2'],
    },
  })
  for (const key of ['base', 'hetzner']) {
    expect(Object.values(providers[key]!.predicates)).toEqual([[], [], [], [], [], []])
  }
  expect(providers.base!.provider).toBe('Base')
  expect(listProviders(fixture.pricing).etag).toBe(etag)
})
