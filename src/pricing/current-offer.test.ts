import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseRates, round, roundHourly } from '../domain/money.ts'
import { offer } from '../domain/offer.case.ts'
import type { Offer, Term, UsageType } from '../domain/offer.ts'
import { chooseCurrent, familyRates, splitPrice } from './current-offer.ts'

const reserved = (term: Term, usd: number): Offer =>
  offer({ usageType: 'RESERVED', term, pricePerHourUsd: usd })
const spot = (zone: string, usd: number): Offer =>
  offer({ usageType: 'SPOT_PREEMPTIBLE', zone, pricePerHourUsd: usd })

function check(offers: Offer[], usageType: UsageType, zone: string, expected: number | undefined) {
  expect(chooseCurrent(offers, { usageType, zone })?.pricePerHourUsd).toBe(expected)
  expect(chooseCurrent(offers.toReversed(), { usageType, zone })?.pricePerHourUsd).toBe(expected)
}

const all = [
  offer({ pricePerHourUsd: 0.1 }),
  reserved('3y', 0.03),
  reserved('1y-convertible', 0.07),
  reserved('1y-savings-plan', 0.08),
  spot('n-1a', 0.05),
  spot('n-1b', 0.04),
]

test.each<[string, Offer[], UsageType, string, number | undefined]>([
  ['on demand', all, 'ONDEMAND', 'n-1a', 0.1],
  ['reserved: the first term in order, not the cheapest', all, 'RESERVED', '', 0.08],
  ['reserved: 1y before all', [...all, reserved('1y', 0.09)], 'RESERVED', '', 0.09],
  [
    'reserved: three years where nothing else is',
    [reserved('3y-convertible', 0.02), reserved('3y', 0.03)],
    'RESERVED',
    '',
    0.03,
  ],
  ['spot in the zone', all, 'SPOT_PREEMPTIBLE', 'n-1a', 0.05],
  ['spot in the zone, any case', all, 'SPOT_PREEMPTIBLE', 'N-1A', 0.05],
  ['spot, no zone', all, 'SPOT_PREEMPTIBLE', '', 0.04],
  ['spot, unknown zone', all, 'SPOT_PREEMPTIBLE', 'elsewhere', 0.04],
  [
    'a price of the whole region before another zone',
    [...all, spot('', 0.06)],
    'SPOT_PREEMPTIBLE',
    'x',
    0.06,
  ],
  ['not on offer', all.slice(0, 1), 'RESERVED', '', undefined],
  ['nothing', [], 'ONDEMAND', '', undefined],
])('%s', (_, offers, usageType, zone, expected) => check(offers, usageType, zone, expected))

const rates = (core: number, gib: number) => ({ corePerHourUsd: core, gibPerHourUsd: gib })
const machine = (vcpus: number, ramGib: number, gpuCount = 0) => ({ vcpus, ramGib, gpuCount })
const rounded = (split: ReturnType<typeof splitPrice>) => [
  roundHourly(split.corePerHourUsd),
  roundHourly(split.gibPerHourUsd),
]

const sized = (type: string, vcpus: number, ramGib: number, usd: number, over: Partial<Offer> = {}) =>
  offer({ instanceType: type, vcpus, ramGib, pricePerHourUsd: usd, ...over })

// core 0.031611, GiB 0.004237
const linear = [
  sized('standard-4', 4, 16, 0.194236),
  sized('highmem-2', 2, 16, 0.131014),
  sized('highcpu-8', 8, 8, 0.286784),
]

test.each<[string, number, ReturnType<typeof machine>, [number, number]]>([
  ['the worked example', 0.0625, machine(2, 4), [0.024671, 0.003289]],
  ['a GPU weighs 224 GiB', 1, machine(4, 16, 1), [7.5 / 270, 1 / 270]],
  ['free', 0, machine(2, 4), [0, 0]],
  ['no size at all', 1, machine(0, 0), [0, 0]],
])('by weight: %s', (_, usd, of, [core, gib]) => {
  expect(rounded(splitPrice(usd, of, null))).toEqual([roundHourly(core), roundHourly(gib)])
})

test.each<[string, Offer[], [number, number] | null]>([
  ['three types off one line', linear, [0.031611, 0.004237]],
  ['two types', linear.slice(0, 2), null],
  ['two types in three zones', [...linear.slice(0, 2), { ...linear[0]!, zone: 'z' }], null],
  ['all in one proportion', [1, 2, 4].map((n) => sized(`t${n}`, n, 4 * n, 0.05 * n)), null],
  ['one off the plane', [...linear, sized('odd', 4, 4, 0.3)], null],
  ['cores for nothing', [1, 2, 4].map((n) => sized(`t${n}`, 2, n, 0.01 * n)), null],
  [
    'a shared core is no part of it',
    [...linear, sized('micro', 2, 1, 0.008, { burstableBaseline: 0.1 })],
    [0.031611, 0.004237],
  ],
  ['a GPU is no part of it', [...linear, sized('gpu', 4, 16, 2, { gpuCount: 1 })], [0.031611, 0.004237]],
  [
    'an unknown size is no part of it',
    [...linear, sized('blank', 1, 1, 9, { vcpus: null })],
    [0.031611, 0.004237],
  ],
  ['nothing', [], null],
])('family rates: %s', (_, offers, expected) => {
  const found = familyRates(offers)
  expect(found && rounded(found)).toEqual(expected)
})

test('a type that its family does not explain is split by weight', () => {
  const family = rates(baseRates.corePerHourUsd, baseRates.gibPerHourUsd)
  expect(rounded(splitPrice(0.194236, machine(4, 16), family))).toEqual([0.031611, 0.004237])
  expect(splitPrice(0.2, machine(4, 16), family)).toEqual(splitPrice(0.2, machine(4, 16), null))
})

const size = fc.record({
  vcpus: fc.constantFrom(0.25, 1, 2, 3, 4, 8, 36, 96, 416),
  ramGib: fc.constantFrom(0.5, 0.6, 1, 3.75, 4, 14.4, 64, 768, 11776),
  gpuCount: fc.constant(0),
})

test('cores x rate + GiB x rate is the price, with a family and without', () => {
  const family = fc.option(fc.constant(rates(0.031611, 0.004237)))
  fc.assert(
    fc.property(
      size,
      family,
      fc.integer({ min: -9, max: 9 }),
      fc.nat(90_000_000),
      (of, known, off, millionths) => {
        const usd = known === null ? millionths / 1e6 : of.vcpus * 0.031611 + of.ramGib * 0.004237 + off / 1e6
        const split = splitPrice(usd, of, known)
        const sum = of.vcpus * split.corePerHourUsd + of.ramGib * split.gibPerHourUsd
        expect(round(sum, 9)).toBe(round(usd, 9))
        expect(split.corePerHourUsd).toBeGreaterThanOrEqual(0)
        expect(split.gibPerHourUsd).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

test('rates behind a list that is rounded to five decimals are found', () => {
  const micro = fc.integer({ min: 1000, max: 90_000 }).map((n) => n / 1e6)
  fc.assert(
    fc.property(micro, micro, (core, gib) => {
      const sizes = [1, 2, 4, 8, 16, 32, 64].flatMap((n) => [1, 4, 8].map((g) => [n, n * g] as const))
      const list = sizes.map(([c, g]) => sized(`t-${c}-${g}`, c, g, round(c * core + g * gib, 5)))
      const found = familyRates(list)
      expect(found!.corePerHourUsd).toBeCloseTo(core, 5)
      expect(found!.gibPerHourUsd).toBeCloseTo(gib, 6)
    }),
  )
})
