import { expect, test } from 'vitest'
import { hourMs } from '../domain/time.ts'
import { Accumulator } from '../usage/digest/accumulator.ts'
import { podSeries } from './pod-series.case.ts'
import { encodeRequest } from './remote-write/encode.case.ts'
import { TooManySeries } from './remote-write/resolver.ts'
import { defaultSampleLimits, SampleWriter } from './sample-writer.ts'

const newWriter = (maxSeries: number) =>
  new SampleWriter(
    new Accumulator({ maxAgeMs: 48 * hourMs, maxAheadMs: 0, maxSubjects: Number.POSITIVE_INFINITY }),
    { ...defaultSampleLimits, maxKnownSeries: maxSeries },
  )

/** Writes one sample of each of these pods in that hour, and returns how many were understood. */
function take(writer: SampleWriter, cluster: string, hour: number, from: number, count: number): number {
  const body = encodeRequest(podSeries(from, count, hour * hourMs)).slice()
  const batch = writer.read(body, 'remote-write-1', cluster, hour * hourMs)
  const understood = batch.count
  writer.write(batch, hour * hourMs)
  return understood
}

test('series of a cluster without samples are removed while another is active', () => {
  const writer = newWriter(100)
  expect(take(writer, 'silent', 10, 0, 100)).toBe(100)
  expect(() => take(writer, 'silent', 10, 100, 1)).toThrow(TooManySeries)
  for (const hour of [11, 12, 13]) expect(take(writer, 'other', hour, 0, 1)).toBe(1)
  expect(take(writer, 'silent', 13, 100, 50)).toBe(50)
  expect(take(writer, 'silent', 13, 0, 50)).toBe(50)
  expect(writer.accumulator.subjects.size).toBe(151)
})

test('a series that is registered again is added to its subject', () => {
  const writer = newWriter(100_000)
  const [many, hours] = [2000, 10]
  for (let hour = 10; hour < 10 + hours; hour++) {
    take(writer, 'churning', hour, hour * many, many)
    if (hour % 3 === 1) take(writer, 'steady', hour, 0, 10)
  }
  const steady = [...writer.accumulator.subjects.values()].filter(({ key }) => key.startsWith('c\0steady'))
  expect(steady.map(({ open }) => open.map(({ digest }) => digest.samples))).toEqual(
    Array.from({ length: 10 }, () => [1, 1, 1, 1]),
  )
})

test('samples of one request count in any order', () => {
  const nowMs = 20 * hourMs
  const labels = (name: string, more: Record<string, string>) => Object.entries({ __name__: name, ...more })
  const pod = { namespace: 'shop', pod: 'web', container: 'app' }
  const processes = (mode: string) =>
    labels('namedprocess_namegroup_cpu_seconds_total', { groupname: 'db', instance: 'host', mode })
  const cpu = labels('container_cpu_usage_seconds_total', pod)
  const memory = labels('container_memory_working_set_bytes', pod)
  const all = [cpu, memory, processes('user'), processes('system')]
  const samples = Array.from({ length: 100 }, (_, n) => ({
    timeMs: nowMs - hourMs + n * 30_000,
    value: n * n,
  }))
  const hostile = [0, 2 ** 60].map((timeMs) => ({ labels: memory, samples: [{ timeMs, value: 1 }] }))
  const orders = {
    'as scraped': samples.flatMap((sample) => all.map((labels) => ({ labels, samples: [sample] }))),
    'series by series': all.map((labels) => ({ labels, samples })),
    'newest first': all.map((labels) => ({ labels, samples: samples.toReversed() })),
    'a message for each sample': samples
      .toReversed()
      .flatMap((sample) => all.map((labels) => ({ labels, samples: [sample] }))),
    'among impossible times': [...hostile, ...all.map((labels) => ({ labels, samples })), ...hostile],
  }
  for (const [order, series] of Object.entries(orders)) {
    const writer = newWriter(100)
    writer.write(writer.read(encodeRequest(series), 'remote-write-1', 'east', nowMs), nowMs)
    const usage = [...writer.accumulator.subjects.values()].map(({ open }) => ({
      memory: open.reduce((count, { digest }) => count + digest.memory.count, 0),
      cpuSeconds: open.reduce((sum, { digest }) => sum + digest.cpu.sum, 0) / 1e6,
    }))
    expect(usage, order).toEqual([
      { memory: 100, cpuSeconds: 99 ** 2 },
      { memory: 0, cpuSeconds: 2 * 99 ** 2 },
    ])
  }
})
