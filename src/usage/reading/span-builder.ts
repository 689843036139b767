import { dayHours } from '../../domain/time.ts'
import type { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import { SharedBucketColumns } from '../distribution/buckets.ts'
import { Distribution } from '../distribution/distribution.ts'
import { DistributionDecoder, DistributionReader } from '../distribution/read-distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { CountAndSum, DistributionSink, HourEvents } from './distribution-sink.ts'
import type { PodSpan, PodUsage } from './pod-usage.ts'

/** The 24 hours before the latest one are a span each, and before them each calendar day. One container after the other. */
export class SpanBuilder implements DistributionSink {
  #hourlyFrom = 0
  #startHour = 0
  #endHour = 0
  #nextSpan = 0
  /** The open span is a single hour, so that its distributions are not merged. */
  #isHour = false
  #hasStart = false
  #oomKills = 0
  #restarts = 0
  #periods = 0
  #throttledPeriods = 0
  #throttledMs = 0
  /** CPU and memory of the open span if it is a single distribution; no merge needed. */
  #cpu: Distribution | undefined
  #memory: Distribution | undefined
  readonly #columns = new SharedBucketColumns()
  readonly #decoder = new DistributionDecoder(this.#columns)
  readonly #day = new DistributionReader(this.#decoder)
  readonly #sumWithoutStarts = new DistributionSum(this.#columns)
  readonly #startSum = new DistributionSum(this.#columns)
  readonly #memorySum = new DistributionSum(this.#columns)
  /** Totals do not share columns with spans, because they live longer than spans when sized containers are listed. */
  readonly #totalColumns = new SharedBucketColumns()
  readonly #cpuTotal = new DistributionSum(this.#totalColumns)
  readonly #memoryTotal = new DistributionSum(this.#totalColumns)
  /** Reused for all containers: V8 would allocate a new array for each, and its spans with it, in its old space. */
  readonly #closed: PodSpan[] = []

  constructor(latestHour: number) {
    this.reset(latestHour)
  }

  reset(latestHour: number): void {
    this.#hourlyFrom = latestHour - dayHours
    this.#startHour = 0
    this.#endHour = 0
    this.#nextSpan = 0
    this.#isHour = false
    this.#clearSpan()
    this.#sumWithoutStarts.clear()
    this.#startSum.clear()
    this.#memorySum.clear()
    this.#cpuTotal.clear()
    this.#memoryTotal.clear()
    this.#closed.length = 0
  }

  open(hour: number): void {
    if (hour >= this.#nextSpan) this.#openSpan(hour)
    this.#endHour = hour + 1
  }

  takeCpu(reader: ByteReader, hasStart: boolean): CountAndSum {
    if (hasStart) this.#hasStart = true
    if (this.#isHour) {
      this.#cpu = this.#decoder.decode(reader)
      return this.#cpu
    }
    const sum = hasStart ? this.#startSum : this.#sumWithoutStarts
    sum.addFrom(reader)
    return sum.last
  }

  takeMemory(reader: ByteReader): CountAndSum {
    if (this.#isHour) {
      this.#memory = this.#decoder.decode(reader)
      return this.#memory
    }
    this.#memorySum.addFrom(reader)
    return this.#memorySum.last
  }

  takeDay(summary: DaySummaryReader, oomKills: number): void {
    this.#closeSpan()
    const day = this.#day
    summary.take(day)
    const cpu = day.kept
    summary.take(day)
    const span = new ReadSpan(summary.day * dayHours, summary.span, cpu, day.kept)
    if (summary.hasStart) {
      summary.take(day)
      span.cpuWithoutStarts = day.kept
    }
    const { restarts, periods, throttledPeriods, throttledMs } = summary
    span.count({ oomKills, restarts, periods, throttledPeriods, throttledMs })
    this.#keep(span)
    this.#endHour = 0
    this.#nextSpan = 0
  }

  count(events: HourEvents): void {
    this.#oomKills += events.oomKills
    this.#restarts += events.restarts
    this.#periods += events.periods
    this.#throttledPeriods += events.throttledPeriods
    this.#throttledMs += events.throttledMs
  }

  finish(): Pick<PodUsage, 'spans' | 'cpu' | 'memory'> {
    this.#closeSpan()
    const spans = this.#closed.slice()
    this.#closed.length = 0
    return { spans, cpu: this.#cpuTotal.drain(), memory: this.#memoryTotal.drain() }
  }

  #openSpan(hour: number): void {
    this.#closeSpan()
    this.#isHour = hour >= this.#hourlyFrom
    this.#startHour = this.#isHour ? hour : Math.floor(hour / dayHours) * dayHours
    this.#nextSpan = this.#isHour ? hour + 1 : Math.min(this.#startHour + dayHours, this.#hourlyFrom)
  }

  #closeSpan(): void {
    if (this.#endHour === 0) return
    const hasStart = this.#hasStart
    const isStartHour = this.#isHour && hasStart
    const cpuWithoutStarts = isStartHour ? new Distribution() : drainedWith(this.#cpu, this.#sumWithoutStarts)
    const cpu = isStartHour
      ? (this.#cpu ?? new Distribution())
      : hasStart
        ? drainedWith(cpuWithoutStarts, this.#startSum)
        : cpuWithoutStarts
    const memory = drainedWith(this.#memory, this.#memorySum)
    const span = new ReadSpan(this.#startHour, this.#endHour - this.#startHour, cpu, memory)
    span.count({
      oomKills: this.#oomKills,
      restarts: this.#restarts,
      periods: this.#periods,
      throttledPeriods: this.#throttledPeriods,
      throttledMs: this.#throttledMs,
    })
    span.cpuWithoutStarts = hasStart ? cpuWithoutStarts : undefined
    this.#keep(span)
    this.#clearSpan()
  }

  #keep(span: ReadSpan): void {
    this.#cpuTotal.add(span.cpu)
    this.#memoryTotal.add(span.memory)
    this.#closed.push(span)
  }

  #clearSpan(): void {
    this.#hasStart = false
    this.#oomKills = 0
    this.#restarts = 0
    this.#periods = 0
    this.#throttledPeriods = 0
    this.#throttledMs = 0
    this.#cpu = undefined
    this.#memory = undefined
  }
}

/** A class, because V8 starts to allocate long-lived object literals in its old space, which then retains everything they refer to. */
class ReadSpan implements PodSpan {
  readonly startHour: number
  readonly hours: number
  readonly cpu: Distribution
  readonly memory: Distribution
  oomKills = 0
  restarts = 0
  periods = 0
  throttledPeriods = 0
  throttledMs = 0
  throttledShare = 0
  cpuWithoutStarts: Distribution | undefined

  constructor(startHour: number, hours: number, cpu: Distribution, memory: Distribution) {
    this.startHour = startHour
    this.hours = hours
    this.cpu = cpu
    this.memory = memory
  }

  count(events: HourEvents): void {
    this.oomKills = events.oomKills
    this.restarts = events.restarts
    this.periods = events.periods
    this.throttledPeriods = events.throttledPeriods
    this.throttledMs = events.throttledMs
    this.throttledShare = events.periods > 0 ? events.throttledPeriods / events.periods : 0
  }
}

/** Merges a distribution with a sum, and empties the sum. */
function drainedWith(known: Distribution | undefined, sum: DistributionSum): Distribution {
  if (sum.isEmpty) return known ?? new Distribution()
  if (known !== undefined) sum.add(known)
  return sum.drain()
}
