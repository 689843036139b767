import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Price, savingsBetween } from './savings.ts'

const price = (pricePerHourUsd: number, monthlyCapUsd: number | null = null): Price => ({
  pricePerHourUsd,
  monthlyCapUsd,
})

function check(current: Price, candidate: Price, expected: [number, number, number, number] | null) {
  const savings = savingsBetween(current, candidate)
  expect(savings === null ? null : Object.values(savings)).toEqual(expected)
}

test.each<[string, Price, Price, [number, number, number, number] | null]>([
  ['the worked example', price(0.073981), price(0.0625), [15.519, 0.011481, 8.381, 100.574]],
  ['a candidate capped by the month', price(0.1), price(0.09, 48), [10, 0.01, 25, 300]],
  ['a current one capped by the month', price(0.1, 48), price(0.05), [50, 0.05, 11.5, 138]],
  ['a cap that is never reached', price(0.1, 1000), price(0.05), [50, 0.05, 36.5, 438]],
  ['less by the hour, more by the month', price(0.1, 30), price(0.05), null],
  ['less by the hour, the same by the month', price(0.1, 36.5), price(0.05), null],
  ['less by the month only', price(0.05), price(0.06, 20), null],
  ['the same price', price(0.05), price(0.05), null],
  ['free', price(0.05), price(0), [100, 0.05, 36.5, 438]],
  ['from free', price(0), price(0), null],
  ['half a millionth is rounded away from zero', price(0.1000005), price(0.1), [0, 0.000001, 0, 0.004]],
  ['less than is shown', price(0.1), price(0.0999999999), null],
  ['just less than half a millionth', price(0.1000004), price(0.1), null],
  ['too little by the hour, but not by the month', price(0.1000004), price(0.1, 70), [0, 0, 3, 36.004]],
  ['NaN', price(0.05), price(Number.NaN), null],
  ['a current NaN', price(Number.NaN), price(0.05), null],
  ['negative', price(0.05), price(-1), null],
  ['endless', price(Number.POSITIVE_INFINITY), price(0.05), null],
  ['a cap that is no number', price(0.05), price(0.04, Number.NaN), null],
])('%s', (_, current, candidate, expected) => check(current, candidate, expected))

const usd = fc.integer({ min: 0, max: 50_000_000 }).map((millionths) => millionths / 1e6)
const anyPrice = fc.record({ pricePerHourUsd: usd, monthlyCapUsd: fc.option(usd.map((v) => v * 500)) })

test('savings are never negative, by hour or by month, and at most 100 percent', () => {
  fc.assert(
    fc.property(anyPrice, anyPrice, (current, candidate) => {
      const savings = savingsBetween(current, candidate)
      if (savings === null) return
      expect(candidate.pricePerHourUsd).toBeLessThan(current.pricePerHourUsd)
      expect(savings.percentage).toBeGreaterThanOrEqual(0)
      expect(savings.percentage).toBeLessThanOrEqual(100)
      expect(savings.amount_per_hour).toBeGreaterThan(0)
      expect(savings.amount_per_month).toBeGreaterThanOrEqual(0)
      expect(Math.abs(savings.amount_per_year - 12 * savings.amount_per_month)).toBeLessThanOrEqual(0.0066)
    }),
  )
})

test('of two prices at most one saves against the other', () => {
  fc.assert(
    fc.property(anyPrice, anyPrice, (a, b) => {
      expect(savingsBetween(a, b) !== null && savingsBetween(b, a) !== null).toBe(false)
    }),
  )
})

test('hourly savings are exact in millionths, as the prices are', () => {
  fc.assert(
    fc.property(fc.nat(50_000_000), fc.nat(50_000_000), (a, b) => {
      const savings = savingsBetween(price(a / 1e6), price(b / 1e6))
      expect(savings?.amount_per_hour).toBe(a > b ? (a - b) / 1e6 : undefined)
    }),
  )
})

test('a missing price never saves', () => {
  const missing = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -1e-9)
  fc.assert(
    fc.property(anyPrice, missing, (known, value) => {
      check(known, price(value), null)
      check(price(value), known, null)
    }),
  )
})
