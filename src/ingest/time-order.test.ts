import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeOrder } from './sample-writer.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')
const weekMs = 7 * 24 * 3600_000

/** The order of samples at these times; all are of one series unless numbers are given. */
const order = (times: readonly number[], series: readonly number[] = times.map(() => 5)) =>
  timeOrder(
    { timesMs: Float64Array.from(times), series: Int32Array.from(series), count: times.length },
    nowMs,
  )

test('times in order are left as they are', () => {
  for (const times of [[], [nowMs], [nowMs, nowMs], [-1, 0, nowMs, 2 ** 63]])
    expect(order(times)).toBeUndefined()
})

test('one sample of each series needs no order', () => {
  expect(order([3, 2, 1], [0, 9, 8])).toBeUndefined()
  expect(order([nowMs + 3, nowMs + 2, nowMs + 1], [8, 0, 8])).toEqual(Uint32Array.of(2, 1, 0))
})

test('what earlier requests left in the columns is not read', () => {
  const batch = { timesMs: Float64Array.of(nowMs, nowMs - 1, 0), series: new Int32Array(3), count: 2 }
  expect(timeOrder(batch, nowMs)).toEqual(Uint32Array.of(1, 0))
})

test('equals a stable sort, whatever other times are beside them', () => {
  const near = fc.integer({ min: nowMs - weekMs, max: nowMs + weekMs })
  const close = fc.integer({ min: nowMs - 3, max: nowMs + 3 })
  const hostile = fc.constantFrom(-(2 ** 63), -1, 0, 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, Number.MAX_VALUE)
  fc.assert(
    fc.property(fc.array(fc.oneof(near, close, hostile), { maxLength: 200 }), (times) => {
      const positions = [...(order(times) ?? times.keys())]
      expect(positions.toSorted((a, b) => a - b)).toEqual([...times.keys()])
      const isNear = (at: number) => Math.abs(times[at]! - nowMs) <= weekMs
      const expected = [...times.keys()].filter(isNear).sort((a, b) => times[a]! - times[b]! || a - b)
      expect(positions.filter(isNear)).toEqual(expected)
    }),
  )
})

test('neighbouring milliseconds are told apart in the largest request', () => {
  const times = Array.from({ length: 500_000 }, (_, index) => nowMs + weekMs - (index % 1000))
  times[7] = 2 ** 63
  const sorted = order(times)!
  expect(sorted.at(-1)).toBe(7)
  for (let at = 1; at < sorted.length; at++) {
    const [before, now] = [sorted[at - 1]!, sorted[at]!]
    if (times[before]! > times[now]! || (times[before] === times[now] && before > now))
      expect.unreachable(`position ${at}`)
  }
})
