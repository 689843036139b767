import { expect, test } from 'vitest'
import { scaleOf, ticksTo } from './scale.ts'

const band = (Current: number | null, Recommended: number | null, UpperBound: number | null = null) => ({
  Current,
  Recommended,
  UpperBound,
})

test.each([
  ['usage alone', { Requests: band(null, null), Limits: band(null, null), Usage: { Max: 2 } }, 2],
  ['values near the request are in', { Requests: band(4, 1), Limits: band(null, 2), Usage: { Max: 1 } }, 4],
  [
    'the current request is always in',
    { Requests: band(40, 1), Limits: band(null, 2), Usage: { Max: 1 } },
    40,
  ],
  [
    'values far from the request are left out',
    { Requests: band(1, 1), Limits: band(50, 2), Usage: { Max: 1 } },
    2,
  ],
  ['nothing known', { Requests: band(null, null), Limits: band(null, null), Usage: null }, 1e-6],
])('%s', (_, resource, most) => {
  expect(scaleOf(resource).most).toBeCloseTo(most * 1.04, 9)
})

test.each([
  [4.16, [0, 1, 2, 3, 4]],
  [0.9, [0, 0.25, 0.5, 0.75]],
  [5.2, [0, 2, 4]],
  [1000, [0, 256, 512, 768]],
])('ticks to %d', (most, ticks) => {
  expect(ticksTo(most)).toEqual(ticks)
})
