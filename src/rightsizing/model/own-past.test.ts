import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dailyUsage } from '../history/days.ts'
import { resourceHistory } from '../history/history.ts'
import type { Resource } from '../input.ts'
import { spansOf } from '../usage.case.ts'
import { cpuFeatures, memoryFeatures } from './features.ts'
import { gridBelow, gridSize } from './grid.ts'
import { ownPastOf } from './own-past.ts'

function sharesAfter(resource: Resource, days: number, at: (hour: number) => number[], base: number) {
  const history = resourceHistory(spansOf(days, { cpu: at, gib: at }), resource)
  const usage = dailyUsage(history, days * 24)
  const knowledge = (resource === 'cpu' ? cpuFeatures : memoryFeatures)(usage, usage.days.length)!
  const { shares } = ownPastOf(resource, knowledge, base)
  return { shares, above: (multiple: number) => shares[gridBelow(Math.log(multiple) + 1e-9)]! }
}

test.each([1, 3, 13])(
  'after %i days the next one is the highest with a chance of one in that many and one',
  (days) => {
    const highest = 2 + (days - 1) / 100
    const { above } = sharesAfter('memory', days, (hour) => [2 + Math.floor(hour / 24) / 100], highest)
    expect(above(1)).toBeCloseTo(1 / (days + 1), 6)
    expect(above(1.5)).toBeLessThan(0.2 / (days + 1))
  },
)

test('as much of the next day lies above a size as lay above it before', () => {
  const { above } = sharesAfter('cpu', 9, () => Array.from({ length: 100 }, (_, i) => 1 + i / 100), 1)
  expect(above(1.5)).toBeCloseTo(0.5, 1)
  expect(above(1.9)).toBeCloseTo(0.1, 1)
  expect(above(3.1)).toBe(0)
})

test('shares lie between 0 and 1 and never rise, and the same pattern at another size looks the same', () => {
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
