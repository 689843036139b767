import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import { offer } from '../../domain/offer.case.ts'
import { openTestMarket, type TestMarket } from '../test-market.case.ts'
import { listTypes } from './list-types.ts'
import type { TypesQuery } from './schema.ts'
import { showType } from './show-type.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const names = async (query: Partial<TypesQuery>): Promise<string[]> =>
  (await listTypes(fixture.pricing, 'acme', { limit: 50, ...query })).types.map((type) => type.instance_type)

const rows: [string, Partial<TypesQuery>, string[]][] = [
  ['by size', { min_cores: 8 }, ['p3.8xlarge', 'p3.2xlarge']],
  ['by memory and provider', { min_memory_gb: 16, provider: 'google' }, ['n2-standard-4', 'n2-highmem-4']],
  ['by speed', { min_speed: 20_000, provider: 'gcp' }, []],
  ['by architecture', { architecture: 'aarch64' }, ['m6g.large']],
  ['by accelerator', { gpu_model: 'v100', min_cores: 8 }, ['p3.8xlarge', 'p3.2xlarge']],
  ['by generation', { generation: 'retired' }, ['p3.8xlarge', 'p3.2xlarge']],
  ['by price', { max_cost_per_hour: 0.08 }, ['x.unknown', 's-4vcpu-8gb', 'm6g.large']],
  ['in a region, at its prices', { region: 'EU-WEST-1' }, ['m5.xlarge']],
  [
    'largest memory first',
    { sort: '-memory', min_memory_gb: 32 },
    ['p3.8xlarge', 'p3.2xlarge', 'n2-highmem-4'],
  ],
  ['by name', { sort: 'name', provider: 'azure' }, ['Standard_D2s_v5']],
  [
    'by name, backwards',
    { sort: '-name', provider: 'gcp' },
    ['n2-standard-4', 'n2-standard-2', 'n2-highmem-4', 'n2-highcpu-4'],
  ],
  ['part of a name', { q: 'highmem' }, ['n2-highmem-4']],
]
test.each(rows)('%s', async (_, query, expected) => {
  expect(await names(query)).toEqual(expected)
})

test.each<[Partial<TypesQuery>, string]>([
  [{ provider: 'nope' }, '?provider'],
  [{ region: 'mars' }, '?region'],
])('a name that no price list has is refused: %j', async (query, pointer) => {
  await expect(names(query)).rejects.toMatchObject({ code: 'invalid', errors: [{ pointer }] })
})

test('pages follow each other without gap or repetition', async () => {
  const all = await names({})
  const paged: string[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await listTypes(fixture.pricing, 'acme', {
      limit: 3,
      ...(cursor === undefined ? {} : { cursor }),
    })
    expect(page.total).toBe(all.length)
    paged.push(...page.types.map((type) => type.instance_type))
    cursor = page.next
  }
  expect(paged).toEqual(all)
})

test('a type with its prices and what is cheaper', async () => {
  const given = { provider: 'AWS', instanceType: 'M5.XLARGE' }
  const type = orProblem(await showType(fixture.pricing, 'acme', given, '2026-11-15'))
  expect(type).toMatchObject({
    provider: 'AWS',
    instance_type: 'm5.xlarge',
    machine: { generation: 'previous', speed: { basis: 'coremark' }, vcpu_kind: 'dedicated-thread' },
    equivalents: { region: 'us-east-1' },
  })
  expect(type.prices).toContainEqual({
    region: 'us-east-1',
    operating_system: 'Linux',
    usage_type: 'SPOT_PREEMPTIBLE',
    term: null,
    cost_per_hour: 0.07,
    cost_per_month: 51.1,
    day: '2026-11-01',
  })
})

test.each([
  [{ cursor: 'aws/gone' }, '?cursor'],
  [{ architecture: 'sparc', q: 'no such type' }, '?architecture'],
])('the query %j is refused', async (query, pointer) => {
  await expect(listTypes(fixture.pricing, 'acme', { limit: 5, ...query })).rejects.toMatchObject({
    code: 'invalid',
    errors: [expect.objectContaining({ pointer })],
  })
})

test('a type that the catalogue does not have', async () => {
  const unknown = showType(
    fixture.pricing,
    'acme',
    { provider: 'aws', instanceType: 'm5.xlarg' },
    '2026-11-15',
  ).then(orProblem)
  await expect(unknown).rejects.toMatchObject({
    code: 'unknown-instance-type',
    message: 'The catalogue has no type "m5.xlarg" of AWS.',
  })
  const nobody = showType(
    fixture.pricing,
    'acme',
    { provider: 'nobody', instanceType: 'x' },
    '2026-11-15',
  ).then(orProblem)
  await expect(nobody).rejects.toMatchObject({ code: 'unknown-provider' })
})

test('the spot price of a region is not that of a local zone around it', async () => {
  const spot = (zone: string, pricePerHourUsd: number) =>
    offer({
      ...{ provider: 'aws', region: 'us-west-2', instanceType: 'm5.xlarge' },
      ...{ usageType: 'SPOT_PREEMPTIBLE', zone, pricePerHourUsd },
    })
  const market = await openTestMarket([spot('usw2-az1', 0.07), spot('usw2-lax1-az2', 0.023)])
  onTestFinished(() => market.close())
  const given = { provider: 'aws', instanceType: 'm5.xlarge' }
  const { prices } = orProblem(await showType(market.pricing, 'acme', given, '2026-11-15'))
  expect(prices.map((price) => price.cost_per_hour)).toEqual([0.07])
})
