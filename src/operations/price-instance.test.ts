import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProviders } from './list-providers.ts'
import { priceInstance } from './price-instance.ts'
import type { InstanceDescription } from './pricing/request.ts'
import { openSmallWorld, type SmallWorld } from './pricing/small-world.case.ts'

let world: SmallWorld
beforeAll(async () => {
  world = await openSmallWorld()
})
afterAll(() => world.close())

const m5: InstanceDescription = {
  provider: 'aws',
  region: 'us-east-1',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'ONDEMAND',
}
const price = (over: Partial<InstanceDescription> = {}) =>
  priceInstance(world.pricing, 'acme', { ...m5, ...over })

test('one instance', async () => {
  expect(await price()).toEqual({
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

test('where the size matters and is not known, it is asked for', async () => {
  const unknown = { instance_type: 'x.unknown' }
  await expect(price(unknown)).rejects.toMatchObject({ code: 'invalid', errors: [{ pointer: '/vm' }] })
  expect(await price({ ...unknown, vm: { cpu_cores: 2, ram_gb: 4 } })).toMatchObject({ cost_per_hour: 0.05 })
  await expect(price({ provider: 'base' })).rejects.toMatchObject({
    code: 'invalid',
    errors: [{ pointer: '/vm' }],
  })
})

test('seven providers, true to the catalogue', () => {
  const { providers, json, etag } = listProviders(world.pricing)
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
  expect(listProviders(world.pricing).etag).toBe(etag)
})
