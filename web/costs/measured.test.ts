import { expect, test } from 'vitest'
import { isPartly, measuredText } from '../../src/costs/report/measured.ts'
import { changeHeader, changeOf, measuredOf, previousNote, scaleNote, scaleOf } from './measured.ts'
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

test.each([
  [{ hours: 335.5, ofHours: 336 }, { hours: 336, ofHours: 336 }, 'hourly rate; $100.00 then'],
  [{ hours: 336, ofHours: 336 }, { hours: 336, ofHours: 336 }, '$100.00 then'],
  [
    { hours: 336, ofHours: 336 },
    { hours: 168, ofHours: 336 },
    'hourly rate; $100.00 then, with usage for only 7 of 14 days',
  ],
])('a change from %j to %j says whether it is per measured hour', (now, before, note) => {
  const isScaled = now.hours !== before.hours
  expect(previousNote(5, now, [100, before])).toBe(note)
  expect(changeHeader(scaleOf(now, before))).toBe(isScaled ? 'Change of the hourly rate' : 'Change')
  expect(scaleNote(now, before) !== undefined).toBe(isScaled)
})

test('the hours by which changes are scaled are named', () => {
  expect(scaleNote({ hours: 335.52, ofHours: 336 }, { hours: 336, ofHours: 336 })).toBe(
    'Hourly rates are compared: 335.52 hours were measured in this period, 336 in the previous one.',
  )
  // Without a change there is nothing to explain.
  expect(previousNote(undefined, { hours: 336, ofHours: 336 }, [0, { hours: 300, ofHours: 300 }])).toBe(
    '$0.00 then',
  )
})

test('a partly measured period is compared per hour, and not at all if only a few hours were measured', () => {
  const whole = { hours: 96, ofHours: 96 }
  const half = { hours: 48, ofHours: 96 }
  expect(changeOf([150, whole], [100, whole])).toBeCloseTo(50)
  expect(changeOf([150, whole], [75, half])).toBeCloseTo(0)
  expect(changeOf([150, whole], [75, { hours: 4, ofHours: 96 }])).toBeUndefined()
  expect(changeOf([150, whole], [0, whole])).toBeUndefined()
})
