import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { renderInventory } from '../../cli/render/inventory.ts'
import type { InventoryMachine } from '../../domain/inventory.ts'
import { offer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import type { ReplacementScope } from '../../domain/planned-instance.ts'
import { openTestMarket, type TestMarket } from '../test-market.case.ts'
import { type ComparedMachine, compareInventory } from './compare-inventory.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const machine = (id: string, instanceType: string): InventoryMachine => ({
  id,
  name: id,
  provider: 'aws',
  region: 'us-east-1',
  zone: '',
  instanceType,
  operatingSystem: 'Linux',
  usageType: 'ONDEMAND',
})

const aws = { provider: 'aws', service: 'AmazonEC2', region: 'us-east-1' }

test('a discontinued type is reported as such', async () => {
  const items = [machine('old', 'p3.2xlarge'), machine('web', 'm5.xlarge')]
  const compared = await compareInventory(fixture.pricing, 'acme', items, '2026-11-15')
  expect(compared.machines.map(({ id, notes }) => [id, notes])).toEqual(
    expect.arrayContaining([
      ['old', ['The type p3.2xlarge is retired.']],
      ['web', []],
    ]),
  )
  expect(renderInventory(compared)).toMatch(/Notes:\n {2}old {2}The type p3\.2xlarge is retired\./)
})

const within = (scope: ReplacementScope): InventoryMachine => ({
  ...machine('web', 'm5.xlarge'),
  replaceWithin: { scope, why: 'its licence' },
})

test('a machine that is bound to its provider or region is compared there alone, and the reason is a note', async () => {
  const bound = within('provider')
  const at = (place: Partial<Offer>, pricePerHourUsd: number) =>
    offer({ ...place, family: '', vcpus: 4, ramGib: 16, pricePerHourUsd })
  const gcp = { provider: 'gcp', service: 'ComputeEngine', region: 'us-east1' }
  const market = await openTestMarket([
    at({ ...aws, instanceType: 'm5.xlarge' }, 0.192),
    at({ ...aws, instanceType: 'm6a.xlarge' }, 0.172),
    at({ ...aws, region: 'us-east-2', instanceType: 'm6a.xlarge' }, 0.15),
    at({ ...gcp, instanceType: 'n2-standard-4' }, 0.1),
  ])
  onTestFinished(() => market.close())
  const compared = async (item: InventoryMachine, providers?: string[]) => {
    const predicates = providers && { providers }
    const found = await compareInventory(market.pricing, 'acme', [item], '2026-11-15', [], predicates)
    const { cheapest, notes } = found.machines[0]!
    return [cheapest && `${cheapest.instance_type} ${cheapest.region}`, notes]
  }
  expect(await compared(machine('web', 'm5.xlarge'))).toEqual(['n2-standard-4 us-east1', []])
  expect(await compared(bound)).toEqual(['m6a.xlarge us-east-2', ['its licence']])
  expect(await compared(bound, ['AWS', 'GCP'])).toEqual(['m6a.xlarge us-east-2', ['its licence']])
  expect(await compared(bound, ['GCP'])).toEqual([null, ['its licence']])
  expect(await compared(within('region'))).toEqual(['m6a.xlarge us-east-1', ['its licence']])
  expect(await compared(within('region'), ['GCP'])).toEqual([null, ['its licence']])
})

test('candidates of what nothing is named are refused', async () => {
  const asked = compareInventory(fixture.pricing, 'acme', [machine('web', 'm5.xlarge')], '2026-11-15', [], {
    providers: ['foo'],
    regions: ['mars'],
  })
  await expect(asked).rejects.toMatchObject({
    code: 'invalid',
    errors: [{ pointer: '/predicates/providers/0' }, { pointer: '/predicates/regions/0' }],
  })
})

test('of two that cost nearly the same, the faster one is shown', async () => {
  const aws = (instanceType: string, pricePerHourUsd: number) =>
    offer({ provider: 'aws', region: 'us-east-1', family: '', instanceType, pricePerHourUsd })
  const offers = [aws('m5.xlarge', 0.192), aws('m5a.xlarge', 0.172), aws('m6a.xlarge', 0.1728)]
  const market = await openTestMarket(offers)
  onTestFinished(() => market.close())
  const items = [machine('web', 'm5.xlarge')]
  const { machines } = await compareInventory(market.pricing, 'acme', items, '2026-11-15')
  expect(machines[0]).toMatchObject({
    cheapest: { instance_type: 'm6a.xlarge' },
    resize: { instance_type: 'm6a.xlarge' },
    savings_percentage: 10,
  })
})

test('old prices and unknown speeds are marked', async () => {
  const at = (instanceType: string, pricePerHourUsd: number, day: string) =>
    offer({ ...aws, instanceType, family: '', vcpus: 4, ramGib: 16, pricePerHourUsd, day })
  const market = await openTestMarket([
    at('m5.xlarge', 0.192, '2025-08-23'),
    at('x99.xlarge', 0.1, '2026-09-01'),
  ])
  onTestFinished(() => market.close())
  const compared = await compareInventory(market.pricing, 'acme', [machine('web', 'm5.xlarge')], '2026-11-15')
  const [{ current, cheapest }] = compared.machines as [ComparedMachine]
  expect(current.price).toMatchObject({ day: '2025-08-23', age_days: 449, is_old: true })
  expect(cheapest!.price).toMatchObject({ day: '2026-09-01', age_days: 75, is_old: true })
  const text = renderInventory(compared)
  expect(text).toMatch(/^web +m5\.xlarge !! .* AWS x99\.xlarge in us-east-1 ! .* speed not known/m)
  expect(text).toContain('!! The price is older than a year')
  expect(text).toContain('! The price is older than 60 days')
})

test('a saving below a percent is none, and of equal prices the nearest region is named', async () => {
  const at = (region: string, instanceType: string, pricePerHourUsd: number) =>
    offer({ ...aws, region, family: '', instanceType, vcpus: 4, ramGib: 16, pricePerHourUsd })
  const cheapestAmong = async (...offers: Offer[]) => {
    const market = await openTestMarket([at('us-east-1', 'm5.xlarge', 0.192), ...offers])
    onTestFinished(() => market.close())
    const items = [machine('web', 'm5.xlarge')]
    const { machines, totals } = await compareInventory(market.pricing, 'acme', items, '2026-11-15')
    return [machines[0]!.cheapest?.region, totals.savings_per_month]
  }
  expect(await cheapestAmong(at('us-east-2', 'm5.xlarge', 0.191))).toEqual([undefined, 0])
  const [west, east] = [at('ca-west-1', 'm5.xlarge', 0.18), at('us-east-2', 'm5.xlarge', 0.18)]
  expect(await cheapestAmong(west, east)).toEqual(['us-east-2', 8.76])
})
