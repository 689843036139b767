import { expect, test } from 'vitest'
import { barParams, periodOf, rangeProblem } from './period.ts'

const now = Date.UTC(2026, 10, 15, 10, 20)

test.each([
  [{}, '2026-11-01T11:00:00.000Z', '2026-11-15T11:00:00.000Z', '14 days'],
  [{ days: '1' }, '2026-11-14T10:00:00.000Z', '2026-11-15T11:00:00.000Z', '1 day'],
  [{ days: '12' }, '2026-11-01T11:00:00.000Z', '2026-11-15T11:00:00.000Z', '14 days'],
  [
    { from: '2026-11-01', to: '2026-11-03' },
    '2026-11-01T00:00:00.000Z',
    '2026-11-04T00:00:00.000Z',
    '1 Nov to 3 Nov',
  ],
  [{ from: '2026-11-02', to: '2026-11-02' }, '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z', '2 Nov'],
  [{ days: 'this-month' }, '2026-11-01T00:00:00.000Z', '2026-11-15T11:00:00.000Z', 'this month'],
  [{ days: 'last-month' }, '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'last month'],
  // A year is named unless it is the current one.
  [
    { from: '2025-11-01', to: '2025-11-03' },
    '2025-11-01T00:00:00.000Z',
    '2025-11-04T00:00:00.000Z',
    '1 Nov to 3 Nov 2025',
  ],
  [
    { from: '2025-12-31', to: '2026-01-01' },
    '2025-12-31T00:00:00.000Z',
    '2026-01-02T00:00:00.000Z',
    '31 Dec 2025 to 1 Jan 2026',
  ],
  [
    { from: '2025-11-02', to: '2025-11-02' },
    '2025-11-02T00:00:00.000Z',
    '2025-11-03T00:00:00.000Z',
    '2 Nov 2025',
  ],
  // An invalid period is replaced by the default.
  [
    { from: '2026-11-03', to: '2026-11-01' },
    '2026-11-01T11:00:00.000Z',
    '2026-11-15T11:00:00.000Z',
    '14 days',
  ],
  [
    { from: '2026-13-41', to: '2026-11-01' },
    '2026-11-01T11:00:00.000Z',
    '2026-11-15T11:00:00.000Z',
    '14 days',
  ],
  [
    { from: '1900-01-01', to: '2026-11-01' },
    '2026-11-01T11:00:00.000Z',
    '2026-11-15T11:00:00.000Z',
    '14 days',
  ],
])('%j', (params, start_date, end_date, words) => {
  expect(periodOf(params, now)).toMatchObject({ start_date, end_date, words })
})

test.each([
  [{}, undefined],
  [{ days: '7' }, undefined],
  [{ days: '12' }, 'Choose 1, 7, 14, 30 or 90 days.'],
  [{ from: '2025-10-12', to: '2026-11-15' }, undefined],
  [{ from: '2025-10-11', to: '2026-11-15' }, 'Choose at most 400 days.'],
  [{ from: '2026-11-03', to: '2026-11-01' }, 'The start date is after the end date.'],
  [{ from: '2026-02-31', to: '2026-11-01' }, 'Enter a start date and an end date.'],
  [{ from: '2026-11-01' }, 'Enter a start date and an end date.'],
])('a period that cannot be shown says why: %j', (params, problem) => {
  expect(periodOf(params, now).problem).toBe(problem)
  if ('from' in params && 'to' in params) expect(rangeProblem(params.from, params.to)).toBe(problem)
})

test('last month of January is December', () => {
  expect(periodOf({ days: 'last-month' }, Date.UTC(2027, 0, 1))).toMatchObject({
    start_date: '2026-12-01T00:00:00.000Z',
    end_date: '2027-01-01T00:00:00.000Z',
    days: 31,
  })
})

test.each([0, 59])('one day has at least 24 hours that are over, %i minutes after the hour', (minute) => {
  const at = Date.UTC(2026, 10, 15, 10, minute)
  const { start_date, days } = periodOf({ days: '1' }, at)
  expect(at - Date.parse(start_date)).toBeGreaterThanOrEqual(24 * 3_600_000)
  expect(days).toBe(1)
})

test('links keep the choices of the bar, and no parameters of a page', () => {
  const params = new URLSearchParams('days=7&cluster=prod&namespaces.q=shop&from=a&to=b&container=x')
  expect(barParams(params).toString()).toBe('days=7&cluster=prod&from=a&to=b')
})
