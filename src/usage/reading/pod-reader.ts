import { ByteReader } from '../../domain/byte-reader.ts'
import type { ContainerSubject } from '../../domain/subject.ts'
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

/**
 * Reads containers' days from their summaries, and from their digests the hours of days that are not whole. It owns the memory
 * that this takes and uses it again for one container after the other, so that who reads many pods uses one reader for all.
 */
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

  /** Undefined where it never ran in these hours. Its spans are the 24 hours before the latest, and before them whole days. */
  readPod(
    subject: ContainerSubject,
    stored: StoredUsage,
    hours: HourRange,
    latestHour = hours.to,
  ): PodUsage | undefined {
    this.#spans ??= new SpanBuilder(latestHour)
    const spans = this.#spans
    const reading = this.#read(stored, hours, spans, () => spans.begin(latestHour))
    return reading.finish(subject, spans.finish())
  }

  /** Its hours with what all of them come to, without spans; undefined where it never ran. */
  readTotals(
    stored: StoredUsage,
    hours: HourRange,
  ): (ObservedUse & Pick<PodUsage, 'cpu' | 'memory'>) | undefined {
    this.#totals ??= new TotalBuilder()
    const totals = this.#totals
    const used = this.#read(stored, hours, totals, () => totals.begin()).finishUse()
    return used && { ...used, ...totals.finish() }
  }

  /** GiB: the highest mean of an hour on the first day that is whole, 0 without one; quick to read, and never above its peak. */
  leastPeakGib({ days }: StoredUsage): number {
    const summary = this.#days
    summary.open(days)
    let highest = 0
    if (summary.next())
      for (let index = 0; index < summary.hours; index++) highest = Math.max(highest, summary.gib[index]!)
    return highest
  }

  /**
   * What it used on the mean of each hour and where it ran, without distributions; undefined where it never ran. Good only
   * until this reader reads the next, and in columns that may be longer.
   */
  readHourlyUse(stored: StoredUsage, hours: HourRange): HourlyUse | undefined {
    return this.#read(stored, hours).borrowUse()
  }

  /** Whose pod it is and when it was last seen, without what it used; undefined where it never ran. */
  readOwner(subject: ContainerSubject, stored: StoredUsage, hours: HourRange): PodOwner | undefined {
    return this.#read(stored, hours).finishOwner(subject)
  }

  /** As readHourlyUse, with the workload it belongs to. */
  readPlaced(
    subject: ContainerSubject,
    stored: StoredUsage,
    hours: HourRange,
  ): { readonly workload: string; readonly use: HourlyUse } | undefined {
    const reading = this.#read(stored, hours)
    const owner = reading.finishOwner(subject)
    return owner && { workload: owner.workload, use: reading.borrowUse()! }
  }

  #read(stored: StoredUsage, hours: HourRange, sink?: DistributionSink, begin?: () => void): PodBuilder {
    begin?.()
    const reading = this.#pass(stored, hours, sink)
    if (reading !== undefined) return reading
    begin?.()
    return this.#pass({ ...stored, rows: inOrder(stored.rows) }, hours, sink)!
  }

  /** Undefined where the hours do not ascend from row to row. */
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
        // Where there are digests of a day, its summary does not contain all of them.
        if (isDay && summary.day * 24 <= hour) isDay = summary.next()
        if (sink === undefined) cursor.skim()
        else this.#takeNext()
        if (hour < from) {
          if (cursor.saysRegisters) reading.takeRegisters()
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

/** So many hours before the latest one are spans of their own, and cannot be read from summaries. */
export const hourlyHours = 24

/** What the store has of a subject. */
export type StoredUsage = Pick<StoredSubject, 'rows' | 'days'>

type Rows = readonly { readonly bytes: Uint8Array }[]

/** One digest an hour; needed only where an hour comes in parts or from several sources. */
const inOrder = (rows: StoredSubject['rows']): Rows => [
  {
    bytes: encodeDigests(
      combineHours(
        rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((digest) => ({ source, digest }))),
      ),
    ),
  },
]

/** Gives the distributions of a range of hours to a sink, and reads past the others. */
class HourFilter implements DistributionConsumer {
  /** Result for the current hour. */
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

  /** Before each hour, which may have no distribution. */
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
