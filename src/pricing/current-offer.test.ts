import { expect, test } from 'vitest'
import { offer } from '../domain/offer.case.ts'
import type { Offer, Term, UsageType } from '../domain/offer.ts'
import { chooseCurrent, requirement } from './current-offer.ts'

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

test.each([
  // used, size, target, required
  [1.5, 4, 0.8, 1.875],
  [3.2, 4, 0.8, 4],
  [3.6, 4, 0.8, 4],
  [4, 4, 0.8, 4],
  [5, 4, 0.8, 6.25],
  [0, 4, 0.8, 0],
  [1, 0, 0.8, 1.25],
  [2.4, 8, 0.8, 3],
  [5.6, 8, 0.8, 7],
  [1.5, 4, 0.5, 3],
  [1.5, 4, 1, 1.5],
])('%d used of %d at %d asks for %d', (used, size, target, expected) => {
  const both = (n: number) => ({ vcpus: n, ramGib: n })
  expect(requirement(both(used), both(size), { cpu: target, ram: target })).toEqual(both(expected))
})

test('cores and GiB are asked for each by its own target', () => {
  const vm = { vcpus: 8, ramGib: 32 }
  expect(requirement({ vcpus: 2, ramGib: 12 }, vm, { cpu: 0.5, ram: 0.75 })).toEqual({ vcpus: 4, ramGib: 16 })
  expect(requirement({ vcpus: 2, ramGib: 12 }, vm)).toEqual({ vcpus: 2.5, ramGib: 15 })
})
