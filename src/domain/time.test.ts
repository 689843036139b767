import { describe, expect, test } from 'vitest'
import { parseTime, startOfDay, steadyClock } from './time.ts'

describe('RFC 3339', () => {
  function check(text: string, iso: string | undefined) {
    test(text, () => {
      const time = parseTime(text)
      expect(time === undefined ? undefined : new Date(time).toISOString()).toBe(iso)
    })
  }
  check('2026-11-15T02:49:00Z', '2026-11-15T02:49:00.000Z')
  check('2026-11-15t02:49:00.5z', '2026-11-15T02:49:00.500Z')
  check('2026-11-15 02:49:00+01:30', '2026-11-15T01:19:00.000Z')
  check('2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z')
  check('2026-02-29T00:00:00Z', undefined)
  check('2026-13-01T00:00:00Z', undefined)
  check('2026-11-15T24:61:00Z', undefined)
  check('2026-11-15', undefined)
  check('2026-11-15T02:49:00', undefined)
  check('9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z')
  check('9999-12-31T23:59:59-00:01', undefined)
  check('0000-01-01T00:00:00+00:01', undefined)
  check('300000-01-01T00:00:00Z', undefined)
  check('yesterday', undefined)
  check('', undefined)
})

test('a date without a time is the start of that day or of the next; anything else stays', () => {
  expect(startOfDay('2026-11-30')).toBe('2026-11-30T00:00:00.000Z')
  expect(startOfDay('2026-11-30', 1)).toBe('2026-12-01T00:00:00.000Z')
  for (const text of ['2026-02-30', '2026-11-30T10:00:00Z', 'today', undefined])
    expect(startOfDay(text, 1)).toBe(text)
})

test('a clock set back goes on from where it was; a jump forward is followed', () => {
  let system = 1_000_000
  let monotonic = 0
  const now = steadyClock(
    () => system,
    () => monotonic,
  )
  const readings: number[] = []
  const pass = (monotonicMs: number, systemMs: number) => {
    monotonic += monotonicMs
    system += systemMs
    readings.push(now())
  }
  pass(1000, 1000)
  pass(1000, -500_000)
  pass(1000, 1000)
  pass(1000, 3_600_000)
  expect(readings).toEqual([1_001_000, 1_002_000, 1_003_000, 4_102_000])
})
