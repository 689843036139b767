import { expect, test } from 'vitest'
import { familiarityOf } from './familiarity.ts'

const range = { lows: new Float32Array(20).fill(-1), highs: new Float32Array(20).fill(1) }
const withOutside = (count: number, more: Record<number, number> = {}): Float32Array =>
  Float32Array.from({ length: 21 }, (_, i) => more[i] ?? (i < count ? (i % 2 ? 1.5 : -1.5) : 0))

test.each([
  [0, 1],
  [1, 1],
  [3, 0.5],
  [5, 0],
  [20, 0],
])('%i of 20 features outside the usual: %f like it', (count, familiarity) => {
  expect(familiarityOf(withOutside(count), range)).toBeCloseTo(familiarity, 6)
})

test('edges belong to the range, unknown features do not count, and what has no range is not asked', () => {
  expect(familiarityOf(withOutside(0, { 0: -1, 1: 1 }), range)).toBe(1)
  expect(familiarityOf(withOutside(3, { 0: Number.NaN, 1: Number.NaN, 2: Number.NaN }), range)).toBe(1)
  expect(familiarityOf(withOutside(0, { 20: 99 }), range)).toBe(1)
  expect(familiarityOf(new Float32Array(20).fill(Number.NaN), range)).toBe(0)
})
