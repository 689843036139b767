import { expect, test } from 'vitest'
import { type SampleTime, Timeline } from './timeline.ts'

/** Measurements at [system clock, monotonic clock], in milliseconds. */
function check(clocks: [number, number][], last: SampleTime) {
  let at = 0
  const timeline = new Timeline(
    () => clocks[at]![0],
    () => clocks[at]![1],
  )
  let moment: SampleTime | undefined
  for (; at < clocks.length; at++) moment = timeline.next()
  expect(moment).toEqual(last)
}

test('the first measurement has no previous one', () =>
  check([[1000, 0]], { timeMs: 1000, lastMs: undefined, jumpMs: 0 }))
test('a steady clock', () =>
  check(
    [
      [1000, 0],
      [16_003, 15_000],
    ],
    { timeMs: 16_003, lastMs: 1000, jumpMs: 0 },
  ))
test('set ahead by an hour', () =>
  check(
    [
      [1000, 0],
      [3_616_000, 15_000],
    ],
    { timeMs: 3_616_000, lastMs: 3_601_000, jumpMs: 3_600_000 },
  ))
test('set back by a minute', () =>
  check(
    [
      [100_000, 0],
      [55_000, 15_000],
    ],
    { timeMs: 55_000, lastMs: 40_000, jumpMs: -60_000 },
  ))
test('steady again after a jump', () =>
  check(
    [
      [1000, 0],
      [3_616_000, 15_000],
      [3_631_000, 30_000],
    ],
    {
      timeMs: 3_631_000,
      lastMs: 3_616_000,
      jumpMs: 0,
    },
  ))
