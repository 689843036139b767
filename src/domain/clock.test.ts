import { expect, test } from 'vitest'
import { steadyClock } from './clock.ts'

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
