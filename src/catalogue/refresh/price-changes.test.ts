import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terms } from '../../domain/offer.ts'
import { oldOffer } from '../../providers/fetching/old-offer.case.ts'
import { packChanges, priceChangesBetween, unpackChanges } from './price-changes.ts'

const price = fc.option(
  fc.double({ min: 0, max: 1e4, noNaN: true }).map((value) => value + 0),
  { nil: null },
)
const change = fc.record({
  region: fc.string(),
  zone: fc.string(),
  operatingSystem: fc.constantFrom('Linux' as const, 'Windows' as const),
  term: fc.constantFrom(...terms),
  before: price,
  after: price,
})

test('packed changes are restored to the last digit', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(change, {
        selector: (c) => JSON.stringify([c.region, c.zone, c.operatingSystem, c.term]),
      }),
      (changes) => {
        const back = unpackChanges(packChanges(changes))
        expect(new Set(back.map((c) => JSON.stringify(c)))).toEqual(
          new Set(changes.map((c) => JSON.stringify(c))),
        )
      },
    ),
  )
})

test('seventy spot prices take less than a kilobyte', () => {
  const changes = Array.from({ length: 70 }, (_, i) => ({
    region: `us-east-${i % 20}`,
    zone: `use${i % 20}-az${i % 4}`,
    operatingSystem: 'Linux' as const,
    term: '' as const,
    before: Math.round(0.0811 * (1 + i / 90) * 1e4) / 1e4,
    after: Math.round(0.0832 * (1 + i / 80) * 1e4) / 1e4,
  }))
  expect(packChanges(changes).length).toBeLessThan(1_000)
})

test('changed, removed and optionally added prices have a record for each type and usage type', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((region) => oldOffer('aws', region, 'm5.large', 1))
  const spot = oldOffer('aws', 'a', 'm5.large', 0.3, { usageType: 'SPOT_PREEMPTIBLE', zone: 'z' })
  const before = [a!, b!, c!, spot]
  const after = [a!, { ...b!, pricePerHourUsd: 2 }, d!, { ...spot, pricePerHourUsd: 0.4 }]
  const check = (withAdditions: boolean) =>
    priceChangesBetween(before, after, { provider: 'aws', at: 5, withAdditions }).map(
      ({ packed, ...rest }) => ({
        ...rest,
        changes: unpackChanges(packed).map(({ region, before, after }) => [region, before, after]),
      }),
    )
  const onDemand = { provider: 'aws', instanceType: 'm5.large', usageType: 'ONDEMAND', at: 5 }
  const spotRecord = { ...onDemand, usageType: 'SPOT_PREEMPTIBLE', changes: [['a', 0.3, 0.4]] }
  expect(check(true)).toEqual([
    {
      ...onDemand,
      changes: [
        ['b', 1, 2],
        ['c', 1, null],
        ['d', null, 1],
      ],
    },
    spotRecord,
  ])
  expect(check(false)[0]!.changes).toEqual([
    ['b', 1, 2],
    ['c', 1, null],
  ])
  expect(priceChangesBetween(before, before, { provider: 'aws', at: 5, withAdditions: true })).toEqual([])
})
