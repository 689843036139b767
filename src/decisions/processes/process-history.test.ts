import { expect, test } from 'vitest'
import { summariseDay } from '../../usage/day/summarise-day.ts'
import { decodeDigests } from '../../usage/digest/codec.ts'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import { digestBytes, firstHour, type SyntheticPod, subjectOf } from '../../usage/reading/pods.case.ts'
import { readHistory } from './process-history.ts'

const [from, to] = [firstHour + 5, firstHour + 80]

/** Two whole days, between hours of a day that the window cuts and hours before its end. */
function storedOf(pod: SyntheticPod) {
  const bytesOf = (first: number, hours: number) =>
    digestBytes({ ...pod, from: firstHour + first, hours, seconds: 2400 })
  return {
    key: 'p',
    rows: [bytesOf(0, 24), bytesOf(72, 8)].map((bytes) => ({ source: 'push', bytes })),
    days: Buffer.concat([24, 48].map((first) => summariseDay(decodeDigests(bytesOf(first, 24))))),
  }
}

test.each([0.01, 0.07, 0.08, 3])('a process of %d GiB has the same usage in total and by spans', (gib) => {
  const reader = new PodReader()
  const stored = storedOf({
    cores: (hour: number) => 0.001 * (hour % 7),
    gib: (hour: number) => gib * (1 + (hour % 5) / 100),
  })
  const reading = readHistory(reader, stored, { from, to }, to, true)!
  const { cpu, memory, use } = reader.readTotals(stored, { from, to })!
  const amountOf = (micro: number, bytes: number) => ({ cores: micro / microcores, gib: bytes / gibBytes })
  expect(reading.median).toEqual(amountOf(cpu.quantile(0.5), memory.quantile(0.5)))
  expect(reading.high).toEqual(amountOf(cpu.quantile(0.99), memory.max))
  expect([reading.usage.use.hours[0], reading.usage.use.hours[reading.usage.use.length - 1]]).toEqual([
    from,
    to - 1,
  ])
  expect(use.length).toBe(to - from)
  expect(reading.spans()).toEqual(reader.readPod(subjectOf({}), stored, { from, to }, to)!.spans)
  expect(reader.leastPeakGib(stored)).toBeLessThanOrEqual(reading.high.gib * (1 + 1e-6))
  expect(reader.leastPeakGib({ rows: stored.rows, days: new Uint8Array() })).toBe(0)
})
