import { expect, test } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { orProblem } from '../domain/not-found.ts'
import { offer } from '../domain/offer.case.ts'
import type { Offer } from '../domain/offer.ts'
import { findCurrent } from './find-current.ts'
import { enabledProviders, noOwnPrices } from './market.ts'

const sizes = [
  [2, 8],
  [4, 12],
  [8, 16],
] as const

/** Three machines of a family, enough to determine its rates. */
const family = (name: string, core: number, gib: number, more: Partial<Offer> = {}): Offer[] =>
  sizes.map(([vcpus, ramGib]) =>
    offer({
      provider: 'gcp',
      service: 'ComputeEngine',
      region: 'us-central1',
      family: name,
      instanceType: `${name}-x-${vcpus}-${ramGib}`,
      vcpus,
      ramGib,
      pricePerHourUsd: vcpus * core + ramGib * gib,
      ...more,
    }),
  )

const n2 = family('n2', 0.031611, 0.004237)
const n2Custom = family('n2-custom', 0.033174, 0.004446)
const reserved = { usageType: 'RESERVED', term: '1y' } as const

function check(
  offers: readonly Offer[],
  usage: string,
  operatingSystem = 'Linux',
  instanceType = 'n2-custom-6-10240',
  region = 'us-central1',
): Offer {
  const catalogue = Catalogue.from(offers, { id: 'test' })
  const deps = { ...enabledProviders([]), catalogue: () => catalogue, own: () => noOwnPrices }
  return orProblem(
    findCurrent(
      deps,
      { catalogue, own: noOwnPrices },
      {
        provider: 'gcp',
        service: '',
        region,
        instance_type: instanceType,
        operating_system: operatingSystem,
        usage_type: usage,
      },
    ),
  )
}

test.each([
  // 6 x 0.033174 + 10 x 0.004446
  ['at the rates of custom types', [...n2, ...n2Custom], 'ONDEMAND', 0.243504, 'n2-custom'],
  // (6 x 0.031611 + 10 x 0.004237) x 1.05
  ['at those of the family where there are none', n2, 'ONDEMAND', 0.2436378, 'n2'],
  ['at those of the family where too few tell', [...n2, ...n2Custom.slice(1)], 'ONDEMAND', 0.2436378, 'n2'],
  [
    'each usage type by itself',
    [...n2Custom, ...family('n2', 0.02, 0.003, reserved)],
    'RESERVED',
    0.1575, // (6 x 0.02 + 10 x 0.003) x 1.05
    'n2',
  ],
] as const)('a custom type: %s', (_, offers, usage, usd, family) => {
  const found = check(offers, usage)
  expect(found.pricePerHourUsd).toBeCloseTo(usd, 9)
  expect(found.family).toBe(family)
})

test('a custom type in any letter case is the same offer', () => {
  const found = check(n2, 'ONDEMAND', 'Linux', 'N2-Custom-6-10240', 'US-Central1')
  expect(found).toEqual(check(n2, 'ONDEMAND'))
})

test('with Windows, a month has the discount of Linux for sustained use, but not on the licence', () => {
  const machine = (
    operatingSystem: 'Linux' | 'Windows',
    pricePerHourUsd: number,
    monthlyCapUsd: number | null,
  ) =>
    offer({
      ...{ provider: 'gcp', service: 'ComputeEngine', region: 'us-central1', instanceType: 'n1-standard-4' },
      ...{ operatingSystem, pricePerHourUsd, monthlyCapUsd },
    })
  const offers = [machine('Linux', 0.19, 97.09), machine('Windows', 0.374, null)]
  // 97.09 + 730 x (0.374 - 0.19)
  expect(check(offers, 'ONDEMAND', 'Windows', 'n1-standard-4').monthlyCapUsd).toBe(231.41)
  expect(check(offers.slice(1), 'ONDEMAND', 'Windows', 'n1-standard-4').monthlyCapUsd).toBeNull()
})

test.each([
  ['', 0.07],
  ['us-west-2a', 0.07],
  ['usw2-az2', 0.08],
  ['usw2-lax1-az2', 0.023],
])('spot in zone %j: %d, because a local zone counts only if it is named', (zone, usd) => {
  const spot = (zone: string, pricePerHourUsd: number) =>
    offer({
      ...{ provider: 'aws', service: 'AmazonEC2', region: 'us-west-2', instanceType: 'm5.xlarge' },
      ...{ usageType: 'SPOT_PREEMPTIBLE', zone, pricePerHourUsd },
    })
  const offers = [spot('usw2-az1', 0.07), spot('usw2-az2', 0.08), spot('usw2-lax1-az2', 0.023)]
  const catalogue = Catalogue.from(offers, { id: 'test' })
  const deps = { ...enabledProviders([]), catalogue: () => catalogue, own: () => noOwnPrices }
  const described = { provider: 'aws', service: '', region: 'us-west-2', instance_type: 'm5.xlarge' }
  const given = { ...described, operating_system: 'Linux', usage_type: 'spot', availability_zone: zone }
  expect(orProblem(findCurrent(deps, { catalogue, own: noOwnPrices }, given)).pricePerHourUsd).toBe(usd)
})
