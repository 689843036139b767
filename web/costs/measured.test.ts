import { expect, test } from 'vitest'
import { changeOf, isPartly, measuredOf, measuredText } from './measured.ts'
import type { CostRow } from './queries.ts'

const period = { start_date: '2026-11-01T00:00:00.000Z', end_date: '2026-11-05T00:00:00.000Z' }
const day = (of: number, measured_hours = 24) =>
  ({ cluster: 'c', start: `2026-11-0${of}T00:00:00.000Z`, measured_hours }) as CostRow
const later = Date.parse('2026-12-01T00:00:00Z')

test('counts the hours with usage in the part of the period that is over', () => {
  const all = [day(1), day(2), day(3), day(4)]
  expect(measuredOf(all, period, later)).toEqual({ hours: 96, ofHours: 96 })
  const running = Date.parse('2026-11-04T05:30:00Z')
  expect(measuredOf([...all.slice(0, 3), day(4, 6)], period, running)).toEqual({ hours: 78, ofHours: 78 })
  expect(isPartly(measuredOf([day(3), day(4)], period, later))).toBe(true)
  expect(isPartly(measuredOf(all, period, later))).toBe(false)
})

test.each([
  [{ hours: 72, ofHours: 336 }, '3 of 14 days'],
  [{ hours: 1, ofHours: 720 }, '1 hour of 30 days'],
])('%j is %s', (measured, said) => {
  expect(measuredText(measured)).toBe(said)
})

test('a partly measured period is compared per hour, and not at all if only a few hours were measured', () => {
  const whole = { hours: 96, ofHours: 96 }
  const half = { hours: 48, ofHours: 96 }
  expect(changeOf([150, whole], [100, whole])).toBeCloseTo(50)
  expect(changeOf([150, whole], [75, half])).toBeCloseTo(0)
  expect(changeOf([150, whole], [75, { hours: 4, ofHours: 96 }])).toBeUndefined()
  expect(changeOf([150, whole], [0, whole])).toBeUndefined()
})
