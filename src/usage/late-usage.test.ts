import { expect, test } from 'vitest'
import { lateUsageName } from './late-usage.ts'

const minuteMs = 60_000
const nowMs = 1_800_000_000_000

test('without older usage, or long after it, the name stays the same', () => {
  expect(lateUsageName(0, nowMs)).toBe(lateUsageName(0, nowMs + 100 * minuteMs))
  expect(lateUsageName(nowMs, nowMs + minuteMs)).toBe(lateUsageName(nowMs, nowMs + 100 * minuteMs))
})

test('while older usage arrives the name changes every minute, and once more when it has ended', () => {
  const lastMs = nowMs + 5 * minuteMs
  const names = Array.from({ length: 20 }, (_, minute) => {
    const atMs = nowMs + minute * minuteMs
    return lateUsageName(Math.min(atMs, lastMs), atMs)
  })
  expect(new Set(names).size).toBe(7)
  expect(names.at(-1)).not.toBe(names[5])
  expect(names.at(-1)).toBe(String(lastMs))
})

test('usage that comes later than a settled answer gives another name at once', () => {
  const settled = lateUsageName(nowMs, nowMs + 10 * minuteMs)
  expect(lateUsageName(nowMs + 10 * minuteMs, nowMs + 10 * minuteMs + 1)).not.toBe(settled)
})

test('a clock of the database that is ahead or behind never hides a change', () => {
  for (const skewMs of [-5 * minuteMs, 5 * minuteMs]) {
    const names = [0, 1, 2, 3].map((minute) => {
      const atMs = nowMs + minute * minuteMs
      return lateUsageName(atMs + skewMs, atMs)
    })
    expect(new Set(names).size).toBe(4)
  }
})
