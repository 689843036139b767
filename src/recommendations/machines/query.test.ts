import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Problem } from '../../domain/problem.ts'
import { type MachinesRequest, nextPage, parseMachinesRequest, windowHoursOf } from './query.ts'

const now = Date.parse('2026-11-15T10:30:00Z')
const parse = (request: MachinesRequest) => parseMachinesRequest(request, now, 100)

const windows: [MachinesRequest, from: string, to: string, hours: number][] = [
  [{}, '2026-11-01T11:00:00Z', '2026-11-15T11:00:00Z', 336],
  [{ end_date: '2026-11-10T00:00:00Z' }, '2026-10-27T00:00:00Z', '2026-11-10T00:00:00Z', 336],
  [{ start_date: '2026-11-15T09:00:00Z' }, '2026-11-15T09:00:00Z', '2026-11-15T11:00:00Z', 1.5],
  [
    { start_date: '2026-11-14T09:15:00+02:00', end_date: '2026-11-14T09:45:00+02:00' },
    '2026-11-14T08:00:00Z',
    '2026-11-14T08:00:00Z',
    0.5,
  ],
  // Hours in the future are not part of the window.
  [
    { start_date: '2026-11-15T09:00:00Z', end_date: '2027-01-01T00:00:00Z' },
    '2026-11-15T09:00:00Z',
    '2026-11-15T11:00:00Z',
    1.5,
  ],
  [
    { start_date: '2026-12-01T00:00:00Z', end_date: '2027-01-01T00:00:00Z' },
    '2026-12-01T00:00:00Z',
    '2026-12-01T00:00:00Z',
    0,
  ],
]
test.each(windows)('%j', (request, from, to, hours) => {
  const query = parse(request)
  expect(query.hours).toEqual({ from: Date.parse(from) / 3_600_000, to: Date.parse(to) / 3_600_000 })
  expect(windowHoursOf(query)).toBe(hours)
})

const faults: [MachinesRequest, pointers: string[]][] = [
  [{ start_date: 'yesterday' }, ['?start_date']],
  [{ start_date: 'x', end_date: '2026-02-30T00:00:00Z' }, ['?end_date', '?start_date']],
  [{ start_date: '2026-11-16T00:00:00Z' }, ['?start_date']],
  [{ process_group: 'kernel' }, ['?process_group']],
  [{ cursor: 'not one' }, ['?cursor']],
  [{ cursor: Buffer.from('{"a":1}').toString('base64url') }, ['?cursor']],
  [{ cursor: Buffer.from('["vm",7]').toString('base64url') }, ['?cursor']],
]
test.each(faults)('%j is refused', (request, pointers) => {
  const fault = (() => {
    try {
      parse(request)
    } catch (error) {
      return error as Problem
    }
  })()
  expect(fault?.code).toBe('invalid')
  expect(fault?.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
})

test.each([
  [{ start_date: '2030-01-01T00:00:00Z' }, 'must be before end_date (by default now)'],
  [{ start_date: '2020-01-02T00:00:00Z', end_date: '2020-01-01T00:00:00Z' }, 'must be before end_date'],
])('%j: the message names the end of the window', (request, message) => {
  expect(() => parse(request)).toThrow(
    expect.objectContaining({ errors: [{ pointer: '?start_date', message }] }),
  )
})

test('a group matches in any letter case', () => {
  expect(parse({ process_group: 'Docker' }).group).toBe('docker')
})

test('the next page has the same window and begins where the last ended', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (vm, key) => {
      const first = parse({ vm: 'x' })
      const place = key === undefined ? { vm } : { vm, key }
      const next = parseMachinesRequest({ vm: 'x', ...nextPage(first, place) }, now + 7_200_000, 100)
      expect(next).toEqual({ ...first, after: place })
    }),
  )
})
