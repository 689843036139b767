import type { ContainerSubject } from '../../domain/subject.ts'
import { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import { DaySummaryReader } from '../day/day-summary-reader.ts'
import { decodeDigests, encodeDigests } from '../digest/codec.ts'
import { DigestCursor } from '../digest/cursor.ts'
import { type DistributionConsumer, DistributionSkipper } from '../distribution/read-distribution.ts'
import type { StoredSubject } from '../port.ts'
import { type CountAndSum, type DistributionSink, TotalBuilder } from './distribution-sink.ts'
import { type HourlyUse, HourlyUseBuilder } from './hourly-use.ts'
import { type ObservedUse, PodBuilder, type PodOwner, startsAtCursor } from './pod-builder.ts'
import { combineHours, type HourRange, type PodUsage } from './pod-usage.ts'
import { SpanBuilder } from './span-builder.ts'

/** Whole days from summaries, other hours from digests. It reuses its memory, so one reader should read all pods. */
export class PodReader {
  readonly #cursor = new DigestCursor()
  readonly #cpuFilter = new HourFilter(this.#cursor, (sink, reader) =>
    sink.takeCpu(reader, startsAtCursor(this.#cursor)),
  )
  readonly #memoryFilter = new HourFilter(this.#cursor, (sink, reader) => sink.takeMemory(reader))
  readonly #hours = new HourlyUseBuilder()
  readonly #days = new DaySummaryReader()
  #spans: SpanBuilder | undefined
  #totals: TotalBuilder | undefined

  /** Undefined if it never ran. Spans are the 24 hours before the latest one, and whole days before them. */
  readPod(
    subject: ContainerSubject,
    stored: StoredUsage,
    hours: HourRange,
    latestHour = hours.to,
  ): PodUsage | undefined {
    this.#spans ??= new SpanBuilder(latestHour)
    const spans = this.#spans
    const reading = this.#read(stored, hours, spans, () => spans.reset(latestHour))
    return reading.finish(subject, spans.finish())
  }

  /** Returns the hours and their totals, without spans; undefined if the container never ran. */
  readTotals(
    stored: StoredUsage,
    hours: HourRange,
  ): (ObservedUse & Pick<PodUsage, 'cpu' | 'memory'>) | undefined {
    this.#totals ??= new TotalBuilder()
    const totals = this.#totals
    const used = this.#read(stored, hours, totals, () => totals.reset()).finishUse()
    return used && { ...used, ...totals.finish() }
  }

  /** The highest hourly mean of the first whole day, in GiB; 0 if there is none. Quick to read, never above the peak. */
  leastPeakGib({ days }: StoredUsage): number {
    const summary = this.#days
    summary.open(days)
    let highest = 0
    if (summary.next())
      for (let index = 0; index < summary.hours; index++) highest = Math.max(highest, summary.gib[index]!)
    return highest
  }

  /** Undefined if it never ran. Valid until this reader reads the next container; its columns may be longer. */
  readHourlyUse(stored: StoredUsage, hours: HourRange): HourlyUse | undefined {
    return this.#read(stored, hours).borrowUse()
  }

  /** Without usage; undefined if the container never ran. */
  readOwner(subject: ContainerSubject, stored: StoredUsage, hours: HourRange): PodOwner | undefined {
    return this.#read(stored, hours).finishOwner(subject)
  }

  /** Like readHourlyUse, with the workload that the pod belongs to. */
  readWorkloadUse(
    subject: ContainerSubject,
    stored: StoredUsage,
    hours: HourRange,
  ): { readonly workload: string; readonly use: HourlyUse } | undefined {
    const reading = this.#read(stored, hours)
    const owner = reading.finishOwner(subject)
    return owner && { workload: owner.workload, use: reading.borrowUse()! }
  }

  #read(stored: StoredUsage, hours: HourRange, sink?: DistributionSink, reset?: () => void): PodBuilder {
    reset?.()
    const reading = this.#pass(stored, hours, sink)
    if (reading !== undefined) return reading
    reset?.()
    return this.#pass({ ...stored, rows: inOrder(stored.rows) }, hours, sink)!
  }

  /** Returns undefined if the hours do not ascend from row to row. */
  #pass(
    { rows, days }: { readonly rows: Rows; readonly days: Uint8Array },
    { from, to }: HourRange,
    sink: DistributionSink | undefined,
  ): PodBuilder | undefined {
    const [cursor, summary] = [this.#cursor, this.#days]
    const reading = new PodBuilder(cursor, sink, this.#hours)
    summary.open(days)
    let isDay = summary.next()
    let before = Number.NEGATIVE_INFINITY
    for (const { bytes } of rows) {
      cursor.open(new ByteReader(bytes))
      if (sink !== undefined) this.#openFilters(sink, from, to)
      for (let hour = cursor.nextHour; hour < to; hour = cursor.nextHour) {
        if (hour <= before) return undefined
        before = hour
        for (; isDay && (summary.day + 1) * 24 <= hour; isDay = summary.next()) reading.takeDay(summary)
        // If a day has digests, its summary does not contain all of them.
        if (isDay && summary.day * 24 <= hour) isDay = summary.next()
        if (sink === undefined) cursor.skim()
        else this.#takeNext()
        if (hour < from) {
          if (cursor.hasRegisters) reading.takeRegisters()
        } else if (sink === undefined) reading.takeHour(cursor.cpu, cursor.memory)
        else reading.takeHour(this.#cpuFilter.taken, this.#memoryFilter.taken)
      }
    }
    for (; isDay; isDay = summary.next()) reading.takeDay(summary)
    return reading
  }

  #openFilters(sink: DistributionSink, from: number, to: number): void {
    this.#cpuFilter.open(sink, from, to)
    this.#memoryFilter.open(sink, from, to)
  }

  #takeNext(): void {
    this.#cpuFilter.clear()
    this.#memoryFilter.clear()
    this.#cursor.next(this.#cpuFilter, this.#memoryFilter)
  }
}

/** This many hours before the latest one are spans of their own, and cannot be read from summaries. */
export const hourlyHours = 24

export type StoredUsage = Pick<StoredSubject, 'rows' | 'days'>

type Rows = readonly { readonly bytes: Uint8Array }[]

/** Merges rows into one digest per hour. This is needed only if an hour comes in parts or from several sources. */
const inOrder = (rows: StoredSubject['rows']): Rows => [
  {
    bytes: encodeDigests(
      combineHours(
        rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((digest) => ({ source, digest }))),
      ),
    ),
  },
]

/** Passes the distributions of a range of hours to a sink, and skips the others. */
class HourFilter implements DistributionConsumer {
  taken: CountAndSum = nothing
  #from = 0
  #to = 0
  #sink!: DistributionSink
  readonly #cursor: DigestCursor
  readonly #take: (sink: DistributionSink, reader: ByteReader) => CountAndSum
  readonly #skipper = new DistributionSkipper()

  constructor(cursor: DigestCursor, take: (sink: DistributionSink, reader: ByteReader) => CountAndSum) {
    this.#cursor = cursor
    this.#take = take
  }

  open(sink: DistributionSink, from: number, to: number): void {
    this.#sink = sink
    this.#from = from
    this.#to = to
  }

  /** Called before each hour, because an hour may have no distribution. */
  clear(): void {
    this.taken = nothing
  }

  addFrom(reader: ByteReader): void {
    const { hour } = this.#cursor
    if (hour < this.#from || hour >= this.#to) {
      this.#skipper.addFrom(reader)
      return
    }
    this.#sink.open(hour)
    this.taken = this.#take(this.#sink, reader)
  }
}

const nothing: CountAndSum = { count: 0, sum: 0 }
