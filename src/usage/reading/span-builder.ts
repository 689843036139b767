import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import { SharedBucketColumns } from '../distribution/buckets.ts'
import { Distribution } from '../distribution/distribution.ts'
import { DistributionDecoder, DistributionReader } from '../distribution/read-distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { CountAndSum, DistributionSink, HourEvents } from './distribution-sink.ts'
import type { PodSpan, PodUsage } from './pod-usage.ts'

/**
 * Gathers a container's hours into spans: the 24 before the latest one by one, before them days as the calendar has them.
 * One builder serves one container after the other.
 */
export class SpanBuilder implements DistributionSink {
  #hourlyFrom = 0
  #startHour = 0
  #endHour = 0
  #nextSpan = 0
  /** The open span is but an hour, so that its distributions are taken as they are. */
  #isHour = false
  #begins = false
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
  readonly #calmSum = new DistributionSum(this.#columns)
  readonly #startSum = new DistributionSum(this.#columns)
  readonly #memorySum = new DistributionSum(this.#columns)
  /** Totals have columns apart from those of spans, which they outlive where sized containers are listed. */
  readonly #totalColumns = new SharedBucketColumns()
  readonly #cpuTotal = new DistributionSum(this.#totalColumns)
  readonly #memoryTotal = new DistributionSum(this.#totalColumns)
  /** Kept from container to container, since V8 would make an array for each, and its spans with it, where objects that last are. */
  readonly #closed: PodSpan[] = []

  constructor(latestHour: number) {
    this.begin(latestHour)
  }

  /** As new, for another container. */
  begin(latestHour: number): void {
    this.#hourlyFrom = latestHour - dayHours
    this.#startHour = 0
    this.#endHour = 0
    this.#nextSpan = 0
    this.#isHour = false
    this.#clearSpan()
    this.#calmSum.clear()
    this.#startSum.clear()
    this.#memorySum.clear()
    this.#cpuTotal.clear()
    this.#memoryTotal.clear()
    this.#closed.length = 0
  }

  open(hour: number): void {
    if (hour >= this.#nextSpan) this.#begin(hour)
    this.#endHour = hour + 1
  }

  takeCpu(reader: ByteReader, begins: boolean): CountAndSum {
    if (begins) this.#begins = true
    if (this.#isHour) {
      this.#cpu = this.#decoder.decode(reader)
      return this.#cpu
    }
    const sum = begins ? this.#startSum : this.#calmSum
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
    this.#close()
    const day = this.#day
    summary.take(day)
    const cpu = day.kept
    summary.take(day)
    const span = new ReadSpan(summary.day * dayHours, summary.span, cpu, day.kept)
    if (summary.begins) {
      summary.take(day)
      span.calmCpu = day.kept
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

  /** Oldest first, with what all of them come to. */
  finish(): Pick<PodUsage, 'spans' | 'cpu' | 'memory'> {
    this.#close()
    const spans = this.#closed.slice()
    this.#closed.length = 0
    return { spans, cpu: this.#cpuTotal.drain(), memory: this.#memoryTotal.drain() }
  }

  #begin(hour: number): void {
    this.#close()
    this.#isHour = hour >= this.#hourlyFrom
    this.#startHour = this.#isHour ? hour : Math.floor(hour / dayHours) * dayHours
    this.#nextSpan = this.#isHour ? hour + 1 : Math.min(this.#startHour + dayHours, this.#hourlyFrom)
  }

  #close(): void {
    if (this.#endHour === 0) return
    const begins = this.#begins
    const ofHour = this.#isHour && begins
    const calmCpu = ofHour ? new Distribution() : together(this.#cpu, this.#calmSum)
    const cpu = ofHour
      ? (this.#cpu ?? new Distribution())
      : begins
        ? together(calmCpu, this.#startSum)
        : calmCpu
    const memory = together(this.#memory, this.#memorySum)
    const span = new ReadSpan(this.#startHour, this.#endHour - this.#startHour, cpu, memory)
    span.count({
      oomKills: this.#oomKills,
      restarts: this.#restarts,
      periods: this.#periods,
      throttledPeriods: this.#throttledPeriods,
      throttledMs: this.#throttledMs,
    })
    span.calmCpu = begins ? calmCpu : undefined
    this.#keep(span)
    this.#clearSpan()
  }

  #keep(span: ReadSpan): void {
    this.#cpuTotal.add(span.cpu)
    this.#memoryTotal.add(span.memory)
    this.#closed.push(span)
  }

  #clearSpan(): void {
    this.#begins = false
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
  calmCpu: Distribution | undefined

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

/** What there is and what was added up besides, of which nothing is left there. */
function together(known: Distribution | undefined, sum: DistributionSum): Distribution {
  if (sum.isEmpty) return known ?? new Distribution()
  if (known !== undefined) sum.add(known)
  return sum.drain()
}

const dayHours = 24
