import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDecimal, notDecimal, toDecimal } from '../snapshot/write-columns.ts'
import { PriceCodes, SizeCodes } from './codes.ts'

const anyPrice = fc.oneof(
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.nat(1e8).map((n) => n / 1e6),
)

test('a greater price code is a greater price', () => {
  const codes = new PriceCodes()
  fc.assert(
    fc.property(anyPrice, anyPrice, (a, b) => {
      if (codes.codeOf(a) > codes.codeOf(b)) expect(a).toBeGreaterThan(b)
      expect(codes.codeOf(a)).toBeGreaterThanOrEqual(0)
      expect(codes.codeOf(a)).toBeLessThan(2 ** 16)
    }),
  )
  expect(codes.codeOf(Infinity)).toBe(0xffff)
})

test('a price is encoded as the shortest decimal that restores it, or not as a decimal', () => {
  fc.assert(
    fc.property(fc.oneof(anyPrice, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })), (price) => {
      const { whole, digits } = toDecimal(price)
      if (digits !== notDecimal) expect(fromDecimal(whole, digits)).toBe(price)
    }),
  )
  expect(toDecimal(0.0625)).toEqual({ whole: 625, digits: 4 })
  expect(toDecimal(4.80478794)).toEqual({ whole: 480478794, digits: 8 })
  expect(toDecimal(1 / 3).digits).toBe(notDecimal)
})

describe('size codes', () => {
  test('exclude only sizes that are too small, with few sizes and with many', () => {
    const size = fc.double({ min: 0, max: 1e4, noNaN: true })
    fc.assert(
      fc.property(fc.array(size, { maxLength: 600, size: 'max' }), fc.array(size), (sizes, needs) => {
        const codes = new SizeCodes(sizes)
        for (const own of sizes) {
          expect(codes.codeOf(own)).toBeGreaterThan(0)
          expect(codes.codeOf(own)).toBeLessThan(256)
          for (const need of needs)
            if (own >= need) expect(codes.codeOf(own)).toBeGreaterThanOrEqual(codes.codeOf(need))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('are exact if each size has its own code', () => {
    const codes = new SizeCodes([8, 1, 2, 2, 0.5])
    expect([0.1, 0.5, 1, 1.5, 8, 9].map((size) => codes.codeOf(size))).toEqual([1, 1, 2, 3, 4, 5])
    expect(codes.isExact).toBe(true)
    expect(new SizeCodes(Array.from({ length: 256 }, (_, i) => i)).isExact).toBe(false)
  })
})
