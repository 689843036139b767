import fc from 'fast-check'
import { expect, test } from 'vitest'
import { architectures, operatingSystems, terms, usageTypes } from '../../domain/offer.ts'
import { type LivePrice, PriceColumns } from './price-sheet.ts'

const few = (...names: string[]) => fc.constantFrom(...names)
const maybe = fc.option(fc.double({ min: 0.25, max: 1e4, noNaN: true }))

const prices: fc.Arbitrary<LivePrice[]> = fc.array(
  fc.record(
    {
      region: few('us-east-1', 'eu-west-1'),
      zone: few('', 'use1-az1'),
      instanceType: fc.string({ minLength: 1, maxLength: 20 }),
      operatingSystem: fc.constantFrom(...operatingSystems),
      usageType: fc.constantFrom(...usageTypes),
      term: fc.constantFrom(...terms),
      pricePerHourUsd: fc.double({ min: 0, noNaN: true }),
      machine: fc.option(
        fc.record({
          vcpus: maybe,
          ramGib: maybe,
          architecture: fc.constantFrom(...architectures),
          gpuCount: fc.option(fc.nat(8)),
          gpuName: few('', 'T4'),
        }),
      ),
      monthlyCapUsd: maybe,
      family: few('n2', 'n2-custom'),
      source: few('a list', 'another list'),
      day: few('', '2026-11-14'),
      skuIds: fc.array(fc.stringMatching(/^[\w.é€-]{1,40}$/), { minLength: 1, maxLength: 3 }),
    },
    {
      requiredKeys: [
        ...([
          'region',
          'zone',
          'instanceType',
          'operatingSystem',
          'usageType',
          'term',
          'pricePerHourUsd',
        ] as const),
        ...(['machine', 'monthlyCapUsd', 'source', 'day'] as const),
      ],
    },
  ),
  { maxLength: 40 },
)

function check(given: readonly LivePrice[]): void {
  const columns = new PriceColumns()
  for (const price of given) columns.add(price)
  expect(columns.length).toBe(given.length)
  expect([...columns]).toEqual(given)
}

test('prices are returned unchanged and in order', () => {
  fc.assert(fc.property(prices, check))
})

test('grows beyond its initial capacity, with a type per price', () => {
  const [one] = fc.sample(
    prices.filter(({ length }) => length > 0),
    { numRuns: 1, seed: 1 },
  )[0]!
  check(
    Array.from({ length: 5_000 }, (_, n) => ({ ...one!, instanceType: `m${n}.large`, skuIds: [`SKU${n}`] })),
  )
})
