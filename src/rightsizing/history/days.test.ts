import { expect, test } from 'vitest'
import { Distribution } from '../../usage/distribution/distribution.ts'
import { dailyUsage } from './days.ts'
import { resourceHistory } from './history.ts'

/** Spans as [start, hours]; what each day then holds, in hours. */
function check(spans: readonly (readonly [number, number])[], endHour: number, expected: (number | null)[]) {
  const history = resourceHistory(
    spans.map(([startHour, hours]) => ({ startHour, hours, cpu: Distribution.of(1000), memory: null })),
    'cpu',
  )
  expect(dailyUsage(history, endHour).days.map((day) => day?.hours ?? null)).toEqual(expected)
}

test('a span belongs to the day its middle lies in', () => {
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
  // Days of the calendar, asked about at six and at eighteen o'clock.
  check([[0, 24], [24, 24], [48, 6], ...hours(54, 24)], 78, [24, 30, 24])
  check([[0, 24], [24, 24], [48, 18], ...hours(66, 24)], 90, [24, 24, 18, 24])
})
