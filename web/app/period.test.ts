import { expect, test } from 'vitest'
import { barParams, periodOf } from './period.ts'

const now = Date.UTC(2026, 10, 15, 10, 20)

test.each([
  [{}, '2026-11-01T11:00:00.000Z', '2026-11-15T11:00:00.000Z', '14 days'],
  [{ days: '1' }, '2026-11-14T11:00:00.000Z', '2026-11-15T11:00:00.000Z', '1 day'],
  [{ days: '12' }, '2026-11-01T11:00:00.000Z', '2026-11-15T11:00:00.000Z', '14 days'],
  [
    { from: '2026-11-01', to: '2026-11-03' },
    '2026-11-01T00:00:00.000Z',
    '2026-11-04T00:00:00.000Z',
    '1 Nov to 3 Nov',
  ],
  [{ from: '2026-11-02', to: '2026-11-02' }, '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z', '2 Nov'],
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

test('links keep the choices of the bar, and no parameters of a page', () => {
  const params = new URLSearchParams('days=7&cluster=prod&namespaces.q=shop&from=a&to=b&container=x')
  expect(barParams(params).toString()).toBe('days=7&cluster=prod&from=a&to=b')
})
