import { ByteReader } from '../../domain/byte-reader.ts'
import type { ContainerSubject } from '../../domain/subject.ts'
import { decodeDigests, encodeDigests } from '../digest/codec.ts'
import { DigestCursor } from '../digest/cursor.ts'
import { DistributionDecoder, DistributionReader } from '../distribution/codec.ts'
import { type CountsAndSums, DistributionSkipper } from '../distribution/skip.ts'
import type { StoredSubject } from '../port.ts'
import type { DistributionSink } from './distribution-sink.ts'
import { HourFilter } from './hour-filter.ts'
import type { HourlyUse } from './hourly-use.ts'
import { HourlyUseBuilder } from './hourly-use-builder.ts'
import { type ObservedUse, PodBuilder, type PodOwner, startsAtCursor, startsWithin } from './pod-builder.ts'
import type { HourRange, PodUsage } from './pod-usage.ts'
import { SpanBuilder } from './span-builder.ts'
import { TotalBuilder } from './total-builder.ts'
import { combineHours } from './window.ts'

/**
 * Reads containers' digests hour by hour, straight from their bytes. It owns the memory that this takes and uses it again for
 * one container after the other, so that a caller that reads many pods uses one reader for all of them.
 */
export class PodReader {
  readonly #cursor = new DigestCursor()
  readonly #cpuFilter = new HourFilter(this.#cursor, (sink, reader) =>
    sink.takeCpu(reader, startsAtCursor(this.#cursor)),
  )
  readonly #memoryFilter = new HourFilter(this.#cursor, (sink, reader) => sink.takeMemory(reader))
  readonly #hours = new HourlyUseBuilder()
  readonly #runCpu = newRun()
  readonly #runMemory = newRun()
  readonly #skipper = new DistributionSkipper()
  readonly #latestMemory = new DistributionReader(new DistributionDecoder())
  #spans: SpanBuilder | undefined
  #totals: TotalBuilder | undefined

  /** Undefined where it never ran in these hours. Its spans are the 24 hours before the latest, and before them whole days. */
  readPod(
    subject: ContainerSubject,
    rows: StoredSubject['rows'],
    hours: HourRange,
    latestHour = hours.to,
  ): PodUsage | undefined {
    this.#spans ??= new SpanBuilder(latestHour)
    const spans = this.#spans
    const reading = this.#read(rows, hours, spans, () => spans.begin(latestHour))
    return reading.finish(subject, spans.finish())
  }

  /** Its hours with what all of them come to, without spans; undefined where it never ran. */
  readTotals(
    rows: StoredSubject['rows'],
    hours: HourRange,
  ): (ObservedUse & Pick<PodUsage, 'cpu' | 'memory'>) | undefined {
    this.#totals ??= new TotalBuilder()
    const totals = this.#totals
    const used = this.#read(rows, hours, totals, () => totals.begin()).finishUse()
    return used && { ...used, ...totals.finish() }
  }

  /**
   * What it used on the mean of each hour and where it ran, without distributions; undefined where it never ran. Good only
   * until this reader reads the next, and in columns that may be longer.
   */
  readHourlyUse(rows: StoredSubject['rows'], hours: HourRange): HourlyUse | undefined {
    return this.#read(rows, hours).borrowUse()
  }

  /** Whose pod it is and when it was last seen, without what it used; undefined where it never ran. */
  readOwner(subject: ContainerSubject, rows: StoredSubject['rows'], hours: HourRange): PodOwner | undefined {
    return this.#read(rows, hours).finishOwner(subject)
  }

  /** As readHourlyUse, with the workload it belongs to. */
  readPlaced(
    subject: ContainerSubject,
    rows: StoredSubject['rows'],
    hours: HourRange,
  ): { readonly workload: string; readonly use: HourlyUse } | undefined {
    const reading = this.#read(rows, hours)
    const owner = reading.finishOwner(subject)
    return owner && { workload: owner.workload, use: reading.borrowUse()! }
  }

  /** The most memory in the latest row, where it has the sums of its day; 0 otherwise. Quick, and no more than a hint. */
  latestPeakBytes(rows: StoredSubject['rows']): number {
    const last = rows.at(-1)
    if (last === undefined) return 0
    this.#cursor.open(new ByteReader(last.bytes))
    if (this.#cursor.day === undefined) return 0
    this.#cursor.takeDay(this.#skipper, this.#latestMemory)
    const { kept } = this.#latestMemory
    return kept.count > 0 ? kept.max : 0
  }

  #read(
    rows: StoredSubject['rows'],
    hours: HourRange,
    sink?: DistributionSink,
    begin?: () => void,
  ): PodBuilder {
    begin?.()
    const reading = this.#pass(rows, hours, sink)
    if (reading !== undefined) return reading
    begin?.()
    return this.#pass(inOrder(rows), hours, sink)!
  }

  /** Undefined where the hours do not ascend from row to row. */
  #pass(rows: Rows, { from, to }: HourRange, sink: DistributionSink | undefined): PodBuilder | undefined {
    const cursor = this.#cursor
    const [runCpu, runMemory] = [this.#runCpu, this.#runMemory]
    const reading = new PodBuilder(cursor, sink, this.#hours)
    let before = Number.NEGATIVE_INFINITY
    for (const { bytes } of rows) {
      cursor.open(new ByteReader(bytes))
      const { day } = cursor
      const isWhole = day !== undefined && day * 24 >= from && day * 24 + 24 <= to && sink?.isWhole(day)
      const takesSums = sink !== undefined && !isWhole
      if (takesSums) this.#openFilters(sink, from, to)
      let begins = false
      for (;;) {
        if (!(takesSums ? this.#nextTaken() : cursor.skim())) break
        const { hour } = cursor
        if (hour <= before) return undefined
        before = hour
        if (hour >= to) break
        if (hour < from) {
          if (cursor.saysRegisters) reading.takeRegisters()
          continue
        }
        if (isWhole === true && !begins) begins = sink!.partsStarts && startsAtCursor(cursor)
        if (takesSums) {
          reading.takeHour(this.#cpuFilter.taken, this.#memoryFilter.taken)
          continue
        }
        reading.takeHour(cursor.cpu, cursor.memory)
        const length = cursor.skimHours(Math.min(to - hour - 1, runHours), runCpu, runMemory)
        if (length === 0) continue
        before = cursor.hour
        if (isWhole === true && !begins) begins = sink!.partsStarts && startsWithin(cursor, hour + 1)
        reading.takeHours({ first: hour + 1, length, cpu: runCpu, memory: runMemory })
      }
      if (isWhole) this.#takeWhole(sink!, bytes, begins)
    }
    return reading
  }

  /** The sums of a day are enough, unless the container began in it: then its hours are parted. */
  #takeWhole(sink: DistributionSink, bytes: Uint8Array, begins: boolean): void {
    if (!begins) {
      sink.takeDay(this.#cursor)
      return
    }
    this.#cursor.open(new ByteReader(bytes))
    this.#openFilters(sink, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    while (this.#cursor.next(this.#cpuFilter, this.#memoryFilter));
  }

  #openFilters(sink: DistributionSink, from: number, to: number): void {
    this.#cpuFilter.open(sink, from, to)
    this.#memoryFilter.open(sink, from, to)
  }

  #nextTaken(): boolean {
    this.#cpuFilter.clear()
    this.#memoryFilter.clear()
    return this.#cursor.next(this.#cpuFilter, this.#memoryFilter)
  }
}

type Rows = readonly { readonly bytes: Uint8Array }[]

const runHours = 24

const newRun = (): CountsAndSums => ({
  counts: new Float64Array(runHours),
  sums: new Float64Array(runHours),
})

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
