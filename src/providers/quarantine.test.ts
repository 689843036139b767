import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offer as plainOffer } from '../domain/offer.case.ts'
import type { Offer } from '../domain/offer.ts'
import { quarantine } from './quarantine.ts'

const offer = (region: string, pricePerHourUsd: number, rest: Partial<Offer> = {}): Offer =>
  plainOffer({
    provider: 'p',
    service: 's',
    region,
    instanceType: 't',
    vcpus: 1,
    ramGib: 1,
    architecture: '',
    pricePerHourUsd,
    family: '',
    source: 'x (2026-01-01)',
    day: '2026-01-01',
    ...rest,
  })

/** Prices of regions r0, r1, ...; which of them are quarantined. */
function check(prices: number[], expected: number[], rest: Partial<Offer> = {}): void {
  const offers = prices.map((price, i) => offer(`r${i}`, price, rest))
  const { kept, quarantined } = quarantine(offers)
  expect(quarantined.map((one) => one.region)).toEqual(expected.map((i) => `r${i}`))
  expect(kept).toEqual(offers.filter((_, i) => !expected.includes(i)))
}

describe('below a third of the median over three regions or more', () => {
  test('on demand and reserved', () => {
    check([1, 1, 0.3], [2])
    check([1, 1, 0.3], [2], { usageType: 'RESERVED', term: '1y' })
  })
  test('an even number of regions: the mean of the middle two', () => {
    check([3, 3, 6, 1.4], []) // median 3
    check([3, 6, 6, 1.4], [3]) // median 4.5, a third of it 1.5
  })
  test('exactly a third stays', () => {
    check([0.3, 0.3, 0.1], [])
    check([2.1, 2.1, 0.7], [])
    check([2.1, 2.1, 0.6999999], [2])
  })
  test('two regions are too few', () => check([1, 0.001], []))
  test('zones of one region are one region', () => {
    const zones = ['a', 'b', 'c'].map((zone, i) => offer('r', i === 2 ? 0.01 : 1, { zone }))
    expect(quarantine(zones).quarantined).toEqual([])
  })
  test('spot prices move that much', () => check([1, 1, 0.01], [], { usageType: 'SPOT_PREEMPTIBLE' }))
  test('high prices are not quarantined', () => check([1, 1, 1000], []))
})

describe('Windows at or below the Linux price of the same machine', () => {
  const linux = offer('r', 2.8, { zone: 'a' })
  const windows = (pricePerHourUsd: number, rest: Partial<Offer> = {}) =>
    offer('r', pricePerHourUsd, { zone: 'a', operatingSystem: 'Windows', ...rest })
  const reasons = (...offers: Offer[]) => quarantine(offers).quarantined.map(({ reason }) => reason)
  const reason = 'Windows at or below the Linux price in the same place'

  test('equal or lower is quarantined, higher stays', () => {
    expect(reasons(linux, windows(2.8))).toEqual([reason])
    expect(reasons(windows(1.156), linux)).toEqual([reason])
    expect(reasons(linux, windows(2.801))).toEqual([])
  })
  test('spot and reserved too', () => {
    for (const rest of [
      { usageType: 'SPOT_PREEMPTIBLE' },
      { usageType: 'RESERVED', term: '3y' },
    ] as Partial<Offer>[])
      expect(reasons({ ...linux, ...rest }, windows(2.8, rest))).toEqual([reason])
  })
  test('only the same provider, type, region, zone, usage type and term is compared', () => {
    for (const other of [
      { provider: 'q' },
      { instanceType: 'u' },
      { region: 's' },
      { zone: 'b' },
      { usageType: 'SPOT_PREEMPTIBLE' },
      { usageType: 'RESERVED', term: '1y' },
    ] as Partial<Offer>[])
      expect(reasons(linux, windows(0.5, other))).toEqual([])
  })
  test('what is no price is not compared', () => {
    expect(reasons({ ...linux, pricePerHourUsd: Number.POSITIVE_INFINITY }, windows(1))).toEqual([
      'not a positive price',
    ])
  })
  test('the entry has the Windows price', () => {
    expect(quarantine([linux, windows(2.8)])).toEqual({
      kept: [linux],
      quarantined: [
        expect.objectContaining({
          operatingSystem: 'Windows',
          pricePerHourUsd: 2.8,
          medianPerHourUsd: null,
          reason,
        }),
      ],
    })
  })
})

test('only the same type, operating system, usage type, term and provider is compared', () => {
  const dear = ['a', 'b', 'c'].map((region) => offer(region, 1))
  for (const other of [
    { instanceType: 'u' },
    { operatingSystem: 'Windows' },
    { usageType: 'RESERVED', term: '1y' },
    { provider: 'q' },
  ] as Partial<Offer>[])
    expect(quarantine([...dear, offer('d', 0.01, other)]).quarantined).toEqual([])
})

test('an entry has the offer, region, price, median and reason', () => {
  const [entry] = quarantine([offer('a', 1), offer('b', 2), offer('c', 0.1)]).quarantined
  expect(entry).toEqual({
    provider: 'p',
    region: 'c',
    zone: '',
    instanceType: 't',
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    term: '',
    pricePerHourUsd: 0.1,
    medianPerHourUsd: 1,
    reason: 'below a third of the median over its regions',
  })
})

test('an invalid price is never kept and never counts', () => {
  check([1, 1, 1, Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 0.1], [3, 4, 5, 6, 7])
  check([Number.NaN, Number.NaN, 1], [0, 1])
  check([Number.NaN], [0], { usageType: 'SPOT_PREEMPTIBLE' })
})

test('empty, enormous and hostile names', () => {
  expect(quarantine([])).toEqual({ kept: [], quarantined: [] })
  check([Number.MAX_VALUE, Number.MAX_VALUE, 1, Number.MAX_VALUE], [2])
  check([1, 1, 0.1], [2], { instanceType: '__proto__' })
})

describe('properties', () => {
  const offers = fc.array(
    fc.record({
      region: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      price: fc.oneof(fc.double({ min: 0.001, max: 100, noNaN: true }), fc.constantFrom(Number.NaN, 0, -1)),
      usageType: fc.constantFrom('ONDEMAND' as const, 'RESERVED' as const, 'SPOT_PREEMPTIBLE' as const),
      instanceType: fc.constantFrom('t', 'u'),
      operatingSystem: fc.constantFrom('Linux' as const, 'Windows' as const),
    }),
    { maxLength: 40 },
  )
  const made = offers.map((list) => list.map(({ region, price, ...rest }) => offer(region, price, rest)))

  test('every offer is kept or listed, none twice, in order', () =>
    fc.assert(
      fc.property(made, (list) => {
        const { kept, quarantined } = quarantine(list)
        expect(kept.length + quarantined.length).toBe(list.length)
        const positions = kept.map((one) => list.indexOf(one))
        expect(positions).toEqual([...positions].sort((a, b) => a - b))
      }),
    ))

  test('the order of the input does not change the result', () =>
    fc.assert(
      fc.property(made, (list) => {
        const kept = new Set(quarantine(list).kept)
        expect(new Set(quarantine([...list].reverse()).kept)).toEqual(kept)
      }),
    ))

  test('prices in another currency give the same result', () =>
    fc.assert(
      fc.property(made, (list) => {
        const doubled = list.map((one) => ({ ...one, pricePerHourUsd: one.pricePerHourUsd * 2 }))
        const quarantinedIn = (of: Offer[]) =>
          quarantine(of).quarantined.map((one) => [one.region, one.instanceType])
        expect(quarantinedIn(doubled)).toEqual(quarantinedIn(list))
      }),
    ))

  test('no kept price lies below a third of its median', () =>
    fc.assert(
      fc.property(made, (list) => {
        const { kept } = quarantine(list)
        // Random lists may have no group of three regions.
        expect(kept.length).toBeLessThanOrEqual(list.length)
        for (const one of kept) {
          if (one.usageType === 'SPOT_PREEMPTIBLE') continue
          const same = list.filter(
            (other) =>
              other.usageType === one.usageType &&
              other.instanceType === one.instanceType &&
              other.operatingSystem === one.operatingSystem &&
              other.pricePerHourUsd > 0,
          )
          if (new Set(same.map((other) => other.region)).size < 3) continue
          const sorted = same.map((other) => other.pricePerHourUsd).sort((a, b) => a - b)
          const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
          expect(one.pricePerHourUsd).toBeGreaterThanOrEqual((middle / 3) * (1 - 1e-9))
        }
      }),
    ))
})
