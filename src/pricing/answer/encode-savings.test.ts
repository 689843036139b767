import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeSavings, maxSavingsBytes, putMillionths, putThousandths } from './encode-savings.ts'
import { savingsBetween } from './savings.ts'
import type { Savings } from './schema.ts'

const whole = fc.oneof(
  fc.nat(2 ** 31 - 1),
  fc.nat(2_000_000),
  fc.maxSafeInteger().map(Math.abs),
  fc.constantFrom(0, 1, 10, 999, 1000, 999_999, 1_000_000, 2 ** 31 - 1, 2 ** 31, 1e15),
)

type Put = (view: DataView, at: number, amounts: Float64Array) => number

function written(put: Put, ...amounts: number[]): string {
  const bytes = new Uint8Array(3 + maxSavingsBytes).fill(0x3f)
  const end = put(new DataView(bytes.buffer), 3, Float64Array.from(amounts))
  return new TextDecoder().decode(bytes.subarray(3, end))
}

test('amounts are encoded like JSON.stringify', () => {
  fc.assert(
    fc.property(whole, (n) => {
      expect(written((view, at, amounts) => putThousandths(view, at, amounts, 0), n)).toBe(
        JSON.stringify(n / 1e3),
      )
      expect(written((view, at, amounts) => putMillionths(view, at, amounts, 0), n)).toBe(
        JSON.stringify(n / 1e6),
      )
    }),
    { numRuns: 3000 },
  )
})

test('savings are encoded like JSON.stringify', () => {
  fc.assert(
    fc.property(whole, whole, whole, whole, (percent, hour, month, year) => {
      const savings: Savings = {
        percentage: percent / 1e3,
        amount_per_hour: hour / 1e6,
        amount_per_month: month / 1e3,
        amount_per_year: year / 1e3,
      }
      expect(written(encodeSavings, percent, hour, month, year)).toBe(JSON.stringify(savings))
    }),
  )
})

test('a price without bounds', () => {
  const savings = savingsBetween(
    { pricePerHourUsd: 1e12, monthlyCapUsd: null },
    { pricePerHourUsd: 0.5, monthlyCapUsd: null },
  )!
  const { percentage, amount_per_hour, amount_per_month, amount_per_year } = savings
  const wholes = [
    percentage * 1e3,
    amount_per_hour * 1e6,
    Math.round(amount_per_month * 1e3),
    amount_per_year * 1e3,
  ]
  expect(JSON.parse(written(encodeSavings, ...wholes))).toEqual(savings)
})
