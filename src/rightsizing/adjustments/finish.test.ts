import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reasonNotToChange, recommendedLimit } from './finish.ts'

const nowhere = { keptFrom: Number.NaN, keptTo: Number.NaN }

describe('a change', () => {
  test.each([
    [{ from: 1, to: 1.04, usdPerDay: 9, isStarved: false }, '5%'],
    [{ from: 1, to: 1.05, usdPerDay: 9, isStarved: false }, undefined],
    [{ from: 1, to: 0.91, usdPerDay: -9, isStarved: false }, '10%'],
    [{ from: 1, to: 0.9, usdPerDay: -9, isStarved: false }, undefined],
    [{ from: 1, to: 0.5, usdPerDay: -0.009, isStarved: false }, 'cent'],
    [{ from: 1, to: 0.5, usdPerDay: -0.009, isStarved: true }, 'cent'],
    [{ from: 0.01, to: 0.02, usdPerDay: 0.0076, isStarved: false }, undefined],
    [{ from: 1, to: 1.01, usdPerDay: 0.001, isStarved: true }, undefined],
    [{ from: undefined, to: 0.01, usdPerDay: 0, isStarved: false }, undefined],
    [{ from: 2, to: 1.5, usdPerDay: -9, isStarved: false, keptFrom: 1.2, keptTo: 2 }, 'nearly the same risk'],
    [
      { from: 1.2, to: 1.5, usdPerDay: 9, isStarved: false, keptFrom: 1.2, keptTo: 2 },
      'nearly the same risk',
    ],
    [{ from: 1.2, to: 1.5, usdPerDay: 9, isStarved: true, keptFrom: 1.2, keptTo: 2 }, undefined],
    [{ from: 2.1, to: 1.5, usdPerDay: -9, isStarved: false, keptFrom: 1.2, keptTo: 2 }, undefined],
    [{ from: 1.1, to: 1.5, usdPerDay: 9, isStarved: false, keptFrom: 1.2, keptTo: 2 }, undefined],
  ])('%j is worth it unless %s', (change, reason) => {
    const said = reasonNotToChange({ ...nowhere, ...change })
    if (reason === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(reason)
  })
})

const size = fc.double({ min: 0.01, max: 10, noNaN: true })
const afterwards = (from: number, to: number, keptFrom: number, keptTo: number): number =>
  reasonNotToChange({ from, to, keptFrom, keptTo, usdPerDay: (to - from) / 2, isStarved: false }) ===
  undefined
    ? to
    : from

test('a stricter risk never leaves a smaller request in force', () => {
  const answers = fc.array(size, { minLength: 6, maxLength: 6 }).map((of) => of.sort((a, b) => a - b))
  fc.assert(
    fc.property(size, answers, answers, (from, one, other) => {
      const [loose, strict] = [0, 1, 2]
        .map((i) => [Math.min(one[i * 2]!, other[i * 2]!), Math.max(one[i * 2]!, other[i * 2]!)])
        .reduce<[number[], number[]]>(
          ([a, b], [x, y]) => [
            [...a, x!],
            [...b, y!],
          ],
          [[], []],
        )
      expect(afterwards(from, strict[1]!, strict[0]!, strict[2]!)).toBeGreaterThanOrEqual(
        afterwards(from, loose[1]!, loose[0]!, loose[2]!),
      )
    }),
    { numRuns: 500 },
  )
})

test('what was applied is not followed by another recommendation while usage stays the same', () => {
  fc.assert(
    fc.property(size, size, size, size, (from, a, b, c) => {
      const [keptFrom, to, keptTo] = [a, b, c].sort((x, y) => x - y) as [number, number, number]
      const applied = afterwards(from, to, keptFrom, keptTo)
      expect(afterwards(applied, to, keptFrom, keptTo)).toBe(applied)
    }),
  )
})

describe('limits', () => {
  test.each([
    ['no limit is added', { request: 1, limit: undefined }, 0.5, 3, undefined],
    ['a limit equal to the request stays equal', { request: 1, limit: 1 }, 0.5, 0.9, 0.5],
    ['a limit keeps its proportion to the request', { request: 1, limit: 2 }, 0.5, 0.6, 1],
    ['a limit stays 15% above the peak', { request: 1, limit: 2 }, 0.4, 0.9, 0.9 * 1.15],
    ['a limit stays if the request is raised', { request: 0.1, limit: 2 }, 0.5, 0.9, 2],
    ['unless it is too near to the request', { request: 0.6, limit: 2 }, 2, 1.5, 2 * 1.15],
    ['the peak does not raise a limit above its current value', { request: 1, limit: 2 }, 0.4, 7, 2],
    ['a limit without a request counts as the request', { request: undefined, limit: 2 }, 0.5, 0.4, 0.5],
  ])('%s', (_, current, request, peak, limit) => {
    expect(recommendedLimit(current, request, peak)).toBe(limit)
  })
})
