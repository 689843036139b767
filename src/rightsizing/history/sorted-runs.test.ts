import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansOf } from '../usage.case.ts'
import { dailyUsage, percentilesBefore } from './days.ts'
import { resourceHistory } from './history.ts'
import { mergeRuns, runOf, type SortedRun } from './sorted-runs.ts'

type Weighted = readonly (readonly [value: number, weight: number])[]

const pairs: fc.Arbitrary<Weighted> = fc.array(
  fc.tuple(fc.integer({ min: -5, max: 9 }), fc.integer({ min: 1, max: 4 })),
  { maxLength: 8 },
)

/** The slow twin, which sorts all values and adds up the weights of equal ones. */
function summed(all: Weighted): [number, number][] {
  const sums = new Map<number, number>()
  for (const [value, weight] of all) sums.set(value, (sums.get(value) ?? 0) + weight)
  return [...sums].sort(([a], [b]) => a - b)
}

const runFrom = (pairs: Weighted): SortedRun => ({
  values: Float64Array.from(pairs, ([value]) => value),
  weights: Float64Array.from(pairs, ([, weight]) => weight),
})
const pairsOf = ({ values, weights }: SortedRun) => Array.from(values, (value, i) => [value, weights[i]])

test('merged runs contain every value once, with its total weight', () => {
  fc.assert(
    fc.property(fc.array(pairs, { minLength: 2, maxLength: 9 }), (runs) => {
      const merged = mergeRuns(runs.map((run) => runFrom(summed(run))))
      expect(pairsOf(merged)).toEqual(summed(runs.flat()))
    }),
  )
})

test('a run is sorted together with its weights', () => {
  fc.assert(
    fc.property(pairs, (unordered) => {
      expect(pairsOf(runOf(...(Object.values(runFrom(unordered)) as [Float64Array, Float64Array])))).toEqual(
        unordered.toSorted(([a], [b]) => a - b),
      )
    }),
  )
})

const cores = (values: readonly number[], at: number) => values.slice(at * 2, at * 2 + 2)

test('a day contains the samples of all its hours', () => {
  // Values are whole cores, so that no two are in one bucket.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 96, maxLength: 96 }), (used) => {
      const history = resourceHistory(spansOf(2, { cpu: (hour) => cores(used, hour) }), 'cpu')
      const { days } = dailyUsage(history, 48)
      for (const [index, day] of days.entries()) {
        const own = used.slice(index * 48, index * 48 + 48)
        const counts = summed(own.map((value) => [value, 1]))
        const total = day!.weights.reduce((sum, weight) => sum + weight, 0)
        expect(Array.from(day!.values, (value) => Math.round(value))).toEqual(counts.map(([value]) => value))
        expect(Array.from(day!.weights, (weight) => Math.round((weight * 48) / total))).toEqual(
          counts.map(([, count]) => count),
        )
        const inHours = (last: number) => own.slice(48 - 2 * last)
        const mean = (values: readonly number[]) =>
          values.reduce((sum, value) => sum + value, 0) / values.length
        expect(day!.peak).toBeCloseTo(Math.max(...own), 6)
        expect(day!.mean).toBeCloseTo(mean(own), 6)
        expect(day!.peakOfLastHour).toBeCloseTo(Math.max(...inHours(1)), 6)
        expect(day!.peakOfLast3Hours).toBeCloseTo(Math.max(...inHours(3)), 6)
        expect(day!.peakOfLast6Hours).toBeCloseTo(Math.max(...inHours(6)), 6)
        expect(day!.meanOfLast3Hours).toBeCloseTo(mean(inHours(3)), 6)
        expect(day!.meanOfLast6Hours).toBeCloseTo(mean(inHours(6)), 6)
        const peaks = Array.from({ length: 24 }, (_, hour) => Math.max(...cores(own, hour)))
        expect(day!.range).toBeCloseTo(Math.max(...peaks) / Math.min(...peaks), 6)
        const sorted = own.toSorted((a, b) => a - b)
        expect(Math.round(day!.p50)).toBe(sorted[23])
        expect(Math.round(day!.p5)).toBe(sorted[2])
        expect(Math.round(day!.p95)).toBe(sorted[45])
        expect(Math.round(day!.p99)).toBe(sorted[47])
      }
    }),
    { numRuns: 20 },
  )
})

test('percentiles of previous days ignore later days and weight days by age', () => {
  const history = resourceHistory(spansOf(3, { cpu: (hour) => [[1, 2, 4][Math.floor(hour / 24)]!] }), 'cpu')
  const usage = dailyUsage(history, 72)
  const of = (before: number, weightOf: (age: number) => number) =>
    percentilesBefore(usage, before, [{ shares: [0.3, 0.6, 0.9], weightOf }])[0]!.map(Math.round)
  expect(of(1, () => 1)).toEqual([1, 1, 1])
  expect(of(3, () => 1)).toEqual([1, 2, 4])
  expect(of(9, () => 1)).toEqual([1, 2, 4])
  expect(of(3, (age) => (age === 0 ? 1 : 0))).toEqual([4, 4, 4])
  expect(of(2, (age) => (age === 0 ? 1 : 0))).toEqual([2, 2, 2])
})
