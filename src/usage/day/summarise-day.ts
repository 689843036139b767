import { dayHours, hourSeconds } from '../../domain/time.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { type Digest, gibBytes, microcores } from '../digest/digest.ts'
import { markNames, writeMarks } from '../digest/memory-marks.ts'
import { sumDistributions } from '../distribution/sum.ts'
import { writeDistribution } from '../distribution/write-distribution.ts'
import { factsOfDay, isStart, Lifetimes, secondsRun, writeFactChanges } from './day-facts.ts'

/**
 * Summarises a subject's finished day with everything that sizes and costs need, so that a reader of whole days does not
 * decode single hours. Summaries of consecutive days are concatenated without separators; v is a varint.
 *
 *   | v version = 1 | v bytes of all that follows | v days since 1970 | v fields | v span | v hours | v last |
 *   | lives | one group for each bit of fields, lowest first | cores | GiB | cpu | memory | cpu without starts |
 *
 *   span       number of hours from the start of the day to the last hour with a digest
 *   hours      number of these hours with usage
 *   last       second of the hour at which it was last seen, if that is the same in all hours
 *   lives      | v count | v pause, v length, for each |     seconds; the first pause begins with the day
 *   1  present   | 3 bytes |                a bit for each hour with usage; if left out, the first `hours` hours of the day
 *   2  seconds   | v for each hour |        seconds in which the subject ran; if left out, all 3600
 *   4  lasts     | v for each hour |
 *   8  facts     see day-facts.ts
 *   16 events    | v OOM kills | v OOM kills to add if the reason known before the day is OOMKilled |
 *                v restarts | v throttled ms | v periods | v throttled periods |
 *   32 rest      | v memoryPeakBytes | v init |
 *   64 starts    the last distribution is present: CPU without the hours in which the container started
 *   128 marks    see ../digest/memory-marks.ts; they are the same in all hours
 *   cores, GiB   | float32 for each hour, lowest byte first |     means while it ran
 *
 * Distributions are those of all hours together, as in ../distribution/write-distribution.ts. Requires the digests of one
 * day in order, at most one per hour and none of them empty. Without digests, the summary is empty.
 */
export function summariseDay(digests: readonly Digest[]): Uint8Array {
  if (digests.length === 0) return new Uint8Array()
  const day = Math.floor(digests[0]!.hour / dayHours)
  const body = new ByteWriter(1024)
  const used = digests.filter(({ cpu, memory }) => cpu.count > 0 || memory.count > 0)
  const hoursOfDay = used.map(({ hour }) => hour - day * dayHours)
  const times = used.map(timesOf)
  const seconds = used.map((digest, index) => secondsOf(digest, times[index]!))
  const lasts = times.map(({ last }) => last)
  const facts = factsOfDay(digests)
  const events = eventsOf(digests)
  const peak = Math.max(...digests.map(({ memoryPeakBytes }) => memoryPeakBytes))
  const init = digests.some((digest) => digest.init)
  const startsByHour = digests.map(
    ({ hour, restarts, startedAt }) => restarts > 0 || isStart(startedAt, hour),
  )
  const hasStart = digests.some(({ cpu }, index) => startsByHour[index] && cpu.count > 0)
  const marks = digests.find((digest) => markNames.some((name) => digest[name] > 0))
  const isSame = lasts.every((last) => last === lasts[0])
  const fields =
    (hoursOfDay.every((hour, index) => hour === index) ? 0 : summaryFields.present) |
    (seconds.every((one) => one === hourSeconds) ? 0 : summaryFields.seconds) |
    (isSame ? 0 : summaryFields.lasts) |
    (facts.length === 0 ? 0 : summaryFields.facts) |
    (events.every((count) => count === 0) ? 0 : summaryFields.events) |
    (peak > 0 || init ? summaryFields.rest : 0) |
    (hasStart ? summaryFields.starts : 0) |
    (marks === undefined ? 0 : summaryFields.marks)
  body.varint(day)
  body.varint(fields)
  body.varint(digests.at(-1)!.hour + 1 - day * dayHours)
  body.varint(used.length)
  body.varint(isSame ? (lasts[0] ?? 0) : 0)
  writeLives(body, used, times)
  if (fields & summaryFields.present) {
    const bits = hoursOfDay.reduce((sum, hour) => sum | (1 << hour), 0)
    for (let shift = 0; shift < 24; shift += 8) body.byte((bits >>> shift) & 0xff)
  }
  if (fields & summaryFields.seconds) for (const one of seconds) body.varint(one)
  if (fields & summaryFields.lasts) for (const last of lasts) body.varint(last)
  if (fields & summaryFields.facts) writeFactChanges(body, facts)
  if (fields & summaryFields.events) for (const count of events) body.varint(count)
  if (fields & summaryFields.rest) {
    body.varint(peak)
    body.varint(init ? 1 : 0)
  }
  if (marks !== undefined) writeMarks(body, marks)
  for (const { cpu } of used) body.float32(cpu.count > 0 ? cpu.sum / cpu.count / microcores : 0)
  for (const { memory } of used) body.float32(memory.count > 0 ? memory.sum / memory.count / gibBytes : 0)
  writeDistribution(body, sumDistributions(digests.map(({ cpu }) => cpu)))
  writeDistribution(body, sumDistributions(digests.map(({ memory }) => memory)))
  if (fields & summaryFields.starts)
    writeDistribution(
      body,
      sumDistributions(digests.filter((_, index) => !startsByHour[index]).map(({ cpu }) => cpu)),
    )
  return framed(body)
}

function framed(body: ByteWriter): Uint8Array {
  const writer = new ByteWriter(body.length + 8)
  writer.varint(summaryVersion)
  writer.varint(body.length)
  writer.raw(body.view())
  return writer.finish()
}

function secondsOf({ cpu, memory }: Digest, times: ReturnType<typeof timesOf>): number {
  const ran = cpu.count > 0 ? cpu.count : secondsRun(memory.count, times)
  return Math.min(Math.round(ran), hourSeconds)
}

/** Seconds from the start of the hour to its first and its last sample. */
const timesOf = ({ hour, samples, firstAt, lastAt }: Digest) =>
  samples === 0
    ? { first: 0, last: 0 }
    : {
        first: Math.max(0, firstAt - hour * hourSeconds),
        last: Math.max(0, lastAt - hour * hourSeconds),
      }

function writeLives(
  writer: ByteWriter,
  used: readonly Digest[],
  times: readonly { readonly first: number; readonly last: number }[],
): void {
  const lives = new Lifetimes()
  for (const [index, { hour }] of used.entries()) {
    const { first, last } = times[index]!
    lives.add((hour % dayHours) * hourSeconds + first, (hour % dayHours) * hourSeconds + last)
  }
  writer.varint(lives.all.length)
  let before = 0
  for (const { from, to } of lives.all) {
    writer.varint(from - before)
    writer.varint(to - from)
    before = to
  }
}

/**
 * A restart is an OOM kill if the last known termination reason is OOMKilled. Before the day's first reason, this
 * depends on earlier days, so these restarts are counted separately.
 */
function eventsOf(digests: readonly Digest[]): readonly number[] {
  let [kills, open, restarts, throttledMs, periods, throttledPeriods] = [0, 0, 0, 0, 0, 0]
  let reason: string | undefined
  for (const digest of digests) {
    reason = digest.terminatedReason?.text ?? reason
    const ended = reason === undefined || reason === 'OOMKilled' ? digest.restarts : 0
    const killed = Math.max(digest.oomEvents, ended)
    kills += reason === undefined ? digest.oomEvents : killed
    if (reason === undefined) open += killed - digest.oomEvents
    restarts += digest.restarts
    throttledMs += digest.throttledMs
    periods += digest.periods
    throttledPeriods += digest.throttledPeriods
  }
  return [kills, open, restarts, throttledMs, periods, throttledPeriods]
}

export const summaryVersion = 1

/** Bits of `fields`, as drawn above. */
export const summaryFields = {
  present: 1,
  seconds: 2,
  lasts: 4,
  facts: 8,
  events: 16,
  rest: 32,
  starts: 64,
  marks: 128,
} as const
