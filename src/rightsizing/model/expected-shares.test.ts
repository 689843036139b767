import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dailyUsage } from '../history/days.ts'
import { resourceHistory } from '../history/history.ts'
import type { Resource } from '../input.ts'
import { spansOf } from '../usage.case.ts'
import { expectedShares, familiarityOf, ownPastOf } from './expected-shares.ts'
import { cpuFeatures, memoryFeatures } from './features.ts'
import type { Forest } from './forest.ts'
import { gridBelow } from './grid.case.ts'
import { gridSize } from './grid.ts'
import { baseModelOf, ForestPredictor } from './predict.ts'

const leaf = { feature: -1, threshold: 0, left: 0, right: 0 }
/** A forest of one leaf that predicts the same share above every size. */
const always = (share: number, rows: number): Forest => ({
  rows,
  trees: [
    {
      nodes: [leaf],
      leaves: [new Float32Array(gridSize).fill(share)],
    },
  ],
})
const features = new Float32Array(60)
const usual = { lows: new Float32Array(59).fill(-1), highs: new Float32Array(59).fill(1) }
const builtIn = { ...usual, predictor: new ForestPredictor(always(0.8, 0)) }

describe('the own model weighs by its days against 1500 days of the built-in model', () => {
  test.each([
    [0, 0.8],
    [500, 0.65],
    [1500, 0.5],
    [4500, 0.35],
  ])('%i days', (rows, share) => {
    const model = baseModelOf({ forest: always(0.2, rows), meanBase: 1 })
    const shares = expectedShares(model, { features }, builtIn)
    expect(shares).toHaveLength(gridSize)
    for (const one of shares) expect(one).toBeCloseTo(share, 6)
  })

  test('without an own model', () => {
    expect(expectedShares(null, { features }, builtIn)).toEqual(new Float32Array(gridSize).fill(0.8))
  })
})

describe('the own past has a weight of a fifth, and replaces the built-in model for unfamiliar series', () => {
  const past = (days: number) => ({ shares: new Float32Array(gridSize).fill(0.3), days })
  const model = baseModelOf({ forest: always(0.2, 1500), meanBase: 1 })
  test.each([
    [0, null, 0.7],
    [2, null, 0.7],
    [59, null, 0.3],
    [0, model, 0.46],
    [59, model, 0.26],
  ])('%i unfamiliar features', (strange, own, share) => {
    const strangeFeatures = Float32Array.from({ length: 60 }, (_, i) => (i < strange ? 5 : 0))
    for (const one of expectedShares(own, { features: strangeFeatures, ownPast: past(9) }, builtIn))
      expect(one).toBeCloseTo(share, 6)
  })

  test.each([
    [1, 0.8],
    [4, 0.525],
    [7, 0.3],
  ])('weight by days of own past: %i', (days, share) => {
    const strangeFeatures = new Float32Array(60).fill(5)
    for (const one of expectedShares(null, { features: strangeFeatures, ownPast: past(days) }, builtIn))
      expect(one).toBeCloseTo(share, 6)
  })
})

test('shares up to the bound are the same as without a bound', () => {
  const falling = Float32Array.from({ length: gridSize }, (_, k) => 1 - k / gridSize)
  const forest: Forest = { rows: 700, trees: [{ nodes: [leaf], leaves: [falling] }] }
  const known = { features, ownPast: { shares: falling.map((share) => share ** 3), days: 5 } }
  const model = baseModelOf({ forest, meanBase: 1 })
  const others = { ...usual, predictor: new ForestPredictor({ ...forest, rows: 0 }) }
  const all = expectedShares(model, known, others)
  for (const most of [0, 0.003, 0.3, 0.99]) {
    const shares = expectedShares(model, known, others, most)
    all.forEach((share, k) => {
      expect(share <= most ? shares[k] : shares[k]! > most).toBe(share <= most ? share : true)
    })
  }
})

const range = { lows: new Float32Array(20).fill(-1), highs: new Float32Array(20).fill(1) }
const withOutside = (count: number, more: Record<number, number> = {}): Float32Array =>
  Float32Array.from({ length: 21 }, (_, i) => more[i] ?? (i < count ? (i % 2 ? 1.5 : -1.5) : 0))

test.each([
  [0, 1],
  [1, 1],
  [3, 0.5],
  [5, 0],
  [20, 0],
])('%i of 20 features outside the range: familiarity %f', (count, familiarity) => {
  expect(familiarityOf(withOutside(count), range)).toBeCloseTo(familiarity, 6)
})

test('the ends belong to the range; unknown features and features without a range do not count', () => {
  expect(familiarityOf(withOutside(0, { 0: -1, 1: 1 }), range)).toBe(1)
  expect(familiarityOf(withOutside(3, { 0: Number.NaN, 1: Number.NaN, 2: Number.NaN }), range)).toBe(1)
  expect(familiarityOf(withOutside(0, { 20: 99 }), range)).toBe(1)
  expect(familiarityOf(new Float32Array(20).fill(Number.NaN), range)).toBe(0)
})

function sharesAfter(resource: Resource, days: number, at: (hour: number) => number[], base: number) {
  const history = resourceHistory(spansOf(days, { cpu: at, gib: at }), resource)
  const usage = dailyUsage(history, days * 24)
  const knowledge = (resource === 'cpu' ? cpuFeatures : memoryFeatures)(usage, usage.days.length)!
  const { shares } = ownPastOf(resource, knowledge, base)
  return { shares, above: (multiple: number) => shares[gridBelow(Math.log(multiple) + 1e-9)]! }
}

test.each([1, 3, 13])('after n = %i days, the next is the highest with probability 1 / (n + 1)', (days) => {
  const highest = 2 + (days - 1) / 100
  const { above } = sharesAfter('memory', days, (hour) => [2 + Math.floor(hour / 24) / 100], highest)
  expect(above(1)).toBeCloseTo(1 / (days + 1), 6)
  expect(above(1.5)).toBeLessThan(0.2 / (days + 1))
})

test('the share of the next day above a size is that of the past', () => {
  const { above } = sharesAfter('cpu', 9, () => Array.from({ length: 100 }, (_, i) => 1 + i / 100), 1)
  expect(above(1.5)).toBeCloseTo(0.5, 1)
  expect(above(1.9)).toBeCloseTo(0.1, 1)
  expect(above(3.1)).toBe(0)
})

test('shares are between 0 and 1, never rise, and do not depend on the scale of usage', () => {
  const hours = fc.array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 3, maxLength: 40 })
  fc.assert(
    fc.property(
      hours,
      fc.integer({ min: 1, max: 20 }),
      fc.double({ min: 0.1, max: 20, noNaN: true }),
      (usage, days, factor) => {
        for (const resource of ['cpu', 'memory'] as const) {
          const at = (times: number) => (hour: number) => [usage[hour % usage.length]! * times]
          const { shares } = sharesAfter(resource, days, at(1), 1)
          expect(shares).toHaveLength(gridSize)
          for (let k = 0; k < gridSize; k++) {
            expect(shares[k]).toBeGreaterThanOrEqual(0)
            expect(shares[k]).toBeLessThanOrEqual(shares[k - 1] ?? 1)
          }
          const other = sharesAfter(resource, days, at(factor), factor).shares
          for (let k = 0; k < gridSize; k++) expect(other[k]).toBeCloseTo(shares[k]!, 3)
        }
      },
    ),
    { numRuns: 30 },
  )
})
