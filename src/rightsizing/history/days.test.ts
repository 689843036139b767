import { expect, test } from 'vitest'
import { Distribution } from '../../usage/distribution/distribution.ts'
import { dailyUsage } from './days.ts'
import { resourceHistory } from './history.ts'

/** Spans are [start, hours]; `expected` has the hours with samples of each day. */
function check(spans: readonly (readonly [number, number])[], endHour: number, expected: (number | null)[]) {
  const history = resourceHistory(
    spans.map(([startHour, hours]) => ({ startHour, hours, cpu: Distribution.of(1000), memory: null })),
    'cpu',
  )
  expect(dailyUsage(history, endHour).days.map((day) => day?.hours ?? null)).toEqual(expected)
}

test('a span belongs to the day that contains its middle', () => {
  const hours = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => [from + n, 1] as const)
  check([[0, 24], [24, 24], ...hours(48, 24)], 72, [24, 24, 24])
  check([[10, 14], ...hours(24, 24)], 48, [14, 24])
  check(
    [
      [0, 24],
      [48, 24],
    ],
    96,
    [24, null, 24, null],
  )
  // Merged calendar days, in histories that end at 06:00 and at 18:00.
  check([[0, 24], [24, 24], [48, 6], ...hours(54, 24)], 78, [24, 30, 24])
  check([[0, 24], [24, 24], [48, 18], ...hours(66, 24)], 90, [24, 24, 18, 24])
})
