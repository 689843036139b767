import { expect, test } from 'vitest'
import { countDays, exam, score } from './score.ts'
import type { TraceSet } from './traces.ts'

/** Days of one series, each with one level for all its samples. */
function setOf(levels: readonly number[], present = 288): TraceSet {
  const values = new Float32Array(levels.length * 288).fill(Number.NaN)
  levels.forEach((level, day) => {
    values.fill(level, day * 288, day * 288 + present)
  })
  return {
    name: 'made',
    mark: 'made',
    series: 1,
    days: levels.length,
    samplesPerDay: 288,
    cpu: { values },
    memory: { values },
  }
}
const levels = [1, 1, 1, 2, 1, 1, 1, 1]

test('days count from 72 samples, and are scored after one that counts', () => {
  expect([...countDays(setOf(levels)).scored]).toEqual([0, 1, 1, 1, 1, 1, 1, 1])
  expect([...countDays(setOf(levels, 71)).scored]).toEqual(levels.map(() => 0))
})

test('a request of 1.5 is exceeded on one of seven days', () => {
  const set = setOf(levels)
  const paper = exam(set, 'cpu', countDays(set).scored)
  const made = score(paper, new Float64Array(8).fill(1.5))
  expect(made.violation).toBeCloseTo(1 / 7, 9)
  expect(made.shortfall).toBeCloseTo(0.5 / 8, 9)
  expect(made.usdPerMonth).toBeCloseTo(1.5 * 0.031611 * 720, 6)
  expect(made.changesPerMonth).toBe(0)
})

test('floors hold, a machine that is off costs nothing, and changes are counted', () => {
  const set = setOf(levels, 144)
  const paper = exam(set, 'memory', countDays(set).scored)
  const made = score(paper, Float64Array.from([0, 2, 2, 2, 2, 3, 3, 3]))
  expect(made.violation).toBe(0)
  expect(made.usdPerMonth).toBeCloseTo(((2 * 4 + 3 * 3) / 7 / 2) * 0.004237 * 720, 6)
  expect(made.changesPerMonth).toBeCloseTo(30 / 6, 9)
  expect(score(paper, new Float64Array(8).fill(Number.NaN)).violation).toBe(1)
})
