import { expect, test } from 'vitest'
import { lateUsageVersion } from './late-usage.ts'

const minuteMs = 60_000
const nowMs = 1_800_000_000_000

test('without older usage, or long after it, the version stays the same', () => {
  expect(lateUsageVersion(0, nowMs)).toBe(lateUsageVersion(0, nowMs + 100 * minuteMs))
  expect(lateUsageVersion(nowMs, nowMs + minuteMs)).toBe(lateUsageVersion(nowMs, nowMs + 100 * minuteMs))
})

test('while older usage arrives, the version changes every minute, and once more at the end', () => {
  const lastMs = nowMs + 5 * minuteMs
  const versions = Array.from({ length: 20 }, (_, minute) => {
    const atMs = nowMs + minute * minuteMs
    return lateUsageVersion(Math.min(atMs, lastMs), atMs)
  })
  expect(new Set(versions).size).toBe(7)
  expect(versions.at(-1)).not.toBe(versions[5])
  expect(versions.at(-1)).toBe(String(lastMs))
})

test('usage that arrives after a settled answer changes the version at once', () => {
  const settled = lateUsageVersion(nowMs, nowMs + 10 * minuteMs)
  expect(lateUsageVersion(nowMs + 10 * minuteMs, nowMs + 10 * minuteMs + 1)).not.toBe(settled)
})

test('a database clock that is fast or slow never hides a change', () => {
  for (const skewMs of [-5 * minuteMs, 5 * minuteMs]) {
    const versions = [0, 1, 2, 3].map((minute) => {
      const atMs = nowMs + minute * minuteMs
      return lateUsageVersion(atMs + skewMs, atMs)
    })
    expect(new Set(versions).size).toBe(4)
  }
})
