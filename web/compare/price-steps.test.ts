import { expect, test } from 'vitest'
import { cornersOf, type PriceSeries, seriesName, stepsOf } from './price-steps.ts'

const series = (points: [string, number | null][], of: Partial<PriceSeries> = {}): PriceSeries => ({
  usage_type: 'ONDEMAND',
  term: '',
  availability_zone: '',
  operating_system: 'Linux',
  cost_per_hour: points.at(-1)?.[1] ?? null,
  points: points.map(([from, cost_per_hour]) => ({ from, cost_per_hour })),
  ...of,
})

test.each<[PriceSeries, string]>([
  [series([]), 'On demand'],
  [series([], { usage_type: 'RESERVED', term: '1y-savings-plan' }), 'Reserved, 1y savings plan'],
  [series([], { usage_type: 'SPOT_PREEMPTIBLE', availability_zone: 'az1' }), 'Spot, az1'],
])('%#: %s', (of, name) => expect(seriesName(of)).toBe(name))

test.each<[string, [string, number | null][], (number | null)[]]>([
  ['one price', [['2026-08-22', 0.2]], [null]],
  [
    'more expensive, then cheaper',
    [
      ['2026-08-22', 0.2],
      ['2026-09-01', 0.25],
      ['2026-10-01', 0.2],
    ],
    [-20, 25, null],
  ],
  [
    'removed and added again',
    [
      ['2026-08-22', 0.2],
      ['2026-09-01', null],
      ['2026-10-01', 0.1],
    ],
    [null, null, null],
  ],
])('newest first, each compared with the one before: %s', (_, points, changes) => {
  expect(stepsOf([series(points)]).map(({ changePercent }) => changePercent)).toEqual(
    changes.map((change) => (change === null ? null : expect.closeTo(change, 9))),
  )
})

test('a line begins and ends with the period', () => {
  const [start, end] = ['2026-09-01T00:00:00Z', '2026-11-01T00:00:00Z']
  const line = cornersOf(
    series([
      ['2026-08-22', 0.2],
      ['2026-10-01', 0.1],
    ]),
    start,
    end,
  )
  expect(line).toEqual([
    [Date.parse(start), 0.2],
    [Date.parse('2026-10-01'), 0.1],
    [Date.parse(end), 0.1],
  ])
})
