import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourSeconds } from '../../domain/time.ts'
import { MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { encodeDigests } from '../digest/codec.ts'
import { type Digest, emptyDigest, isEmptyDigest, setNumber, setText } from '../digest/digest.ts'
import { levelMarks } from '../digest/memory-marks.ts'
import type { HourlyUse } from '../reading/hourly-use.ts'
import { hourlyHours, PodReader, type StoredUsage } from '../reading/pod-reader.ts'
import type { HourRange, PodUsage } from '../reading/pod-usage.ts'
import { firstHour, subjectOf } from '../reading/pods.case.ts'
import { DaySummaryReader } from './day-summary-reader.ts'
import { summariseDay } from './summarise-day.ts'

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const rarely = fc.nat({ max: 9 }).map((chance) => chance === 0)

const anHour = fc.record({
  hour: fc.nat({ max: 119 }),
  cores: maybe(fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 6 })),
  gib: maybe(fc.array(fc.double({ min: 0, max: 70_000, noNaN: true }), { minLength: 1, maxLength: 6 })),
  seconds: fc.constantFrom(600, 600, 600, 17, 300),
  first: fc.constantFrom(0, 0, 15, 1800),
  starts: rarely,
  restarts: fc.constantFrom(0, 0, 0, 0, 2),
  oomEvents: fc.constantFrom(0, 0, 0, 1),
  reason: fc.constantFrom(undefined, undefined, undefined, 'OOMKilled', 'Error'),
  node: fc.constantFrom('n1', 'n1', 'n1', 'n2', undefined),
  workload: fc.constantFrom('Deployment/web', 'ReplicaSet/web-1', undefined),
  image: fc.constantFrom('web', 'nginx', undefined),
  cpuRequest: fc.constantFrom(undefined, 250_000, 250_000, 500_000, 0),
  memoryLimit: fc.constantFrom(undefined, 2 ** 30, 2 ** 31),
  periods: fc.constantFrom(0, 0, 36_000),
  peak: fc.constantFrom(0, 0, 3e9),
  init: rarely,
  rss: fc.constantFrom(0, 0, 5000, 9000),
  heap: fc.constantFrom(0, 0, 300, 700),
})

function digestOf(told: typeof anHour extends fc.Arbitrary<infer Told> ? Told : never): Digest {
  const digest = emptyDigest(firstHour + told.hour)
  const start = digest.hour * hourSeconds
  for (const cores of told.cores ?? []) digest.cpu.add(Math.round(cores * 1e6), told.seconds)
  for (const gib of told.gib ?? []) digest.memory.add(Math.round(gib * 2 ** 30))
  digest.samples = (told.cores?.length ?? 0) + (told.gib?.length ?? 0)
  if (digest.samples > 0) {
    digest.firstAt = start + told.first
    digest.lastAt = start + Math.max(told.first, 3585)
  }
  digest.startedAt = told.starts ? start + 100 : 0
  digest.memoryPeakBytes = told.peak
  digest.init = told.init
  digest.rssHighKib = told.rss
  digest.heapLowKib = told.heap
  digest.restarts = told.restarts
  digest.oomEvents = told.oomEvents
  digest.periods = told.periods
  digest.throttledPeriods = Math.floor(told.periods / 7)
  if (told.reason !== undefined) setText(digest, 'terminatedReason', told.reason, start)
  if (told.node !== undefined) setText(digest, 'node', told.node, start)
  if (told.image !== undefined) setText(digest, 'image', told.image, start)
  if (told.workload !== undefined) setText(digest, 'workload', told.workload, start)
  if (told.cpuRequest !== undefined) setNumber(digest, 'cpuRequestMicrocores', told.cpuRequest, start)
  if (told.memoryLimit !== undefined) setNumber(digest, 'memoryLimitBytes', told.memoryLimit, start)
  return digest
}

const plainUse = (use: HourlyUse | undefined) =>
  use && {
    ...Object.fromEntries(
      (['hours', 'seconds', 'lasts', 'cores', 'gib'] as const).map((name) => [
        name,
        [...use[name].subarray(0, use.length)],
      ]),
    ),
    steps: [...use.settingRanges()],
  }

const plain = (pod: PodUsage | undefined) =>
  pod && {
    ...pod,
    cpu: pod.cpu.parts(),
    memory: pod.memory.parts(),
    use: plainUse(pod.use),
    spans: pod.spans.map((span) => ({
      ...span,
      ...{
        cpu: span.cpu.parts(),
        memory: span.memory.parts(),
        cpuWithoutStarts: span.cpuWithoutStarts?.parts(),
      },
    })),
  }

/** What the store returns: summaries of whole days before an hour, and rows of the other days. */
function stored(days: readonly (readonly Digest[])[], { from, to }: HourRange, before: number): StoredUsage {
  const isWhole = ([first]: readonly Digest[]) => {
    const start = Math.floor(first!.hour / 24) * 24
    return start >= from && start + 24 <= Math.min(to, before)
  }
  return {
    rows: days.filter((day) => !isWhole(day)).map((day) => ({ source: 'push', bytes: encodeDigests(day) })),
    days: Buffer.concat(days.filter(isWhole).map((day) => summariseDay(day))),
  }
}

test('summaries of days give the same usage as their hours', () => {
  const reader = new PodReader()
  const told = fc.uniqueArray(anHour, { selector: ({ hour }) => hour, minLength: 1, maxLength: 70 })
  fc.assert(
    fc.property(
      told,
      fc.nat({ max: 40 }),
      fc.nat({ max: 120 }),
      fc.nat({ max: 130 }),
      (list, skipped, length, latest) => {
        const digests = list
          .toSorted((a, b) => a.hour - b.hour)
          .map(digestOf)
          .filter((digest) => !isEmptyDigest(digest))
        const days = [...Map.groupBy(digests, ({ hour }) => Math.floor(hour / 24)).values()].map(levelMarks)
        for (const within of [
          { from: firstHour, to: firstHour + 120 },
          { from: firstHour + skipped, to: firstHour + skipped + length },
        ]) {
          const latestHour = Math.min(within.to, firstHour + latest)
          const hourly = stored(days, within, 0)
          const spans = stored(days, within, latestHour - hourlyHours)
          const all = stored(days, within, within.to)
          const subject = subjectOf({})
          expect(plain(reader.readPod(subject, spans, within, latestHour))).toEqual(
            plain(reader.readPod(subject, hourly, within, latestHour)),
          )
          const totals = ({ rows, days }: StoredUsage) => {
            const read = reader.readTotals({ rows, days }, within)
            return read && [read.cpu.parts(), read.memory.parts(), read.lives, plainUse(read.use)]
          }
          expect(totals(all)).toEqual(totals(hourly))
          const workloadUse = (usage: StoredUsage) => {
            const read = reader.readWorkloadUse(subject, usage, within)
            return read && [read.workload, plainUse(read.use)]
          }
          expect(workloadUse(all)).toEqual(workloadUse(hourly))
          expect(reader.readOwner(subject, all, within)).toEqual(reader.readOwner(subject, hourly, within))
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('a summary of a day that has digests too is ignored', () => {
  const digests = [1, 2, 30, 50].map((hour) =>
    digestOf({ ...fc.sample(anHour, { numRuns: 1, seed: hour })[0]!, hour, cores: [hour] }),
  )
  const days = [...Map.groupBy(digests, ({ hour }) => Math.floor(hour / 24)).values()]
  const within = { from: firstHour, to: firstHour + 96 }
  const hourly = stored(days, within, 0)
  const both = { rows: hourly.rows.slice(1, 2), days: stored(days, within, within.to).days }
  const reader = new PodReader()
  expect(plainUse(reader.readHourlyUse(both, within))).toEqual(plainUse(reader.readHourlyUse(hourly, within)))
})

test('no usage has no summary, and a typical day has one of a few hundred bytes', () => {
  expect(summariseDay([])).toHaveLength(0)
  const usual = Array.from({ length: 24 }, (_, hour) =>
    digestOf({
      ...fc.sample(anHour, { numRuns: 1, seed: 1 })[0]!,
      ...{
        hour,
        cores: [0.1, 0.2, 0.3],
        gib: [1, 1.1],
        seconds: 600 as const,
        starts: false,
        restarts: 0 as const,
      },
    }),
  )
  expect(summariseDay(usual).length).toBeLessThan(360)
})

test('damaged bytes are refused or read as something else, but never as endless days', () => {
  const reader = new DaySummaryReader()
  fc.assert(
    fc.property(anHour, fc.nat({ max: 400 }), fc.nat({ max: 255 }), (told, at, byte) => {
      const bytes = Uint8Array.from(summariseDay([digestOf(told)]))
      if (at < bytes.length) bytes[at] = byte
      else if (bytes.length > 0) bytes.fill(byte, Math.floor(bytes.length / 2))
      try {
        reader.open(bytes)
        for (let days = 0; reader.next(); days++) expect(days).toBeLessThan(400)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedBytes)
      }
    }),
  )
})
