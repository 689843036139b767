import type { ByteReader } from '../bytes.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import { readDistribution } from '../distribution/codec.ts'
import { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { PodSpan, PodUsage } from './pod-usage.ts'

/** Where a container's distributions go. */
export interface DistributionSink {
  /** Whether the sums of a day are enough. */
  isWhole(day: number): boolean
  /** Whether hours in which the container began are kept apart: then a day's sums are not enough. */
  readonly partsStarts: boolean
  /** Hours ascend. */
  open(hour: number): void
  /** CPU and memory of the open hour; the consumer reads their count and sum. */
  takeCpu(reader: ByteReader, begins: boolean): CountAndSum
  takeMemory(reader: ByteReader): CountAndSum
  /** All hours of a day at once. */
  takeDay(cursor: DigestCursor): void
  /** Adds to the open hour. */
  count(oomKills: number, periods: number, throttledPeriods: number): void
}

/** Count and sum of a distribution. */
export interface CountAndSum {
  readonly count: number
  readonly sum: number
}

/** Gathers a container's hours into spans: the 24 before the latest one by one, before them days as the calendar has them. */
export class SpanBuilder implements DistributionSink {
  readonly partsStarts = true
  readonly #hourlyFrom: number
  #startHour = 0
  #endHour = 0
  #nextSpan = 0
  /** The open span is but an hour, so that its distributions are taken as they are. */
  #isHour = false
  #begins = false
  #oomKills = 0
  #periods = 0
  #throttledPeriods = 0
  /** CPU and memory of the open span if it is a single distribution; no merge needed. */
  #cpu: Distribution | undefined
  #memory: Distribution | undefined

  constructor(latestHour: number) {
    this.#hourlyFrom = latestHour - dayHours
    for (const sum of [calmSum, startSum, memorySum, cpuTotal, memoryTotal]) sum.clear()
    closed.length = 0
  }

  /** Its hours belong to one span. */
  isWhole(day: number): boolean {
    return (day + 1) * dayHours <= this.#hourlyFrom
  }

  open(hour: number): void {
    if (hour >= this.#nextSpan) this.#begin(hour)
    this.#endHour = hour + 1
  }

  takeCpu(reader: ByteReader, begins: boolean): CountAndSum {
    if (begins) this.#begins = true
    if (this.#isHour) {
      this.#cpu = readDistribution(reader)
      return this.#cpu
    }
    const sum = begins ? startSum : calmSum
    sum.addFrom(reader)
    return sum.last
  }

  takeMemory(reader: ByteReader): CountAndSum {
    if (this.#isHour) {
      this.#memory = readDistribution(reader)
      return this.#memory
    }
    memorySum.addFrom(reader)
    return memorySum.last
  }

  takeDay(cursor: DigestCursor): void {
    if (this.#cpu !== undefined) calmSum.add(this.#cpu)
    if (this.#memory !== undefined) memorySum.add(this.#memory)
    cursor.takeDay(dayCpu, dayMemory)
    this.#cpu = dayCpu.kept
    this.#memory = dayMemory.kept
  }

  count(oomKills: number, periods: number, throttledPeriods: number): void {
    this.#oomKills += oomKills
    this.#periods += periods
    this.#throttledPeriods += throttledPeriods
  }

  /** Spans, oldest first, with their totals. A reading must be finished before the next begins. */
  finish(): Pick<PodUsage, 'spans' | 'cpu' | 'memory'> {
    this.#close()
    const spans = closed.slice()
    closed.length = 0
    return { spans, cpu: cpuTotal.total(), memory: memoryTotal.total() }
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
    const calmCpu = ofHour ? nothing : together(this.#cpu, calmSum)
    const cpu = ofHour ? (this.#cpu ?? nothing) : begins ? together(calmCpu, startSum) : calmCpu
    const memory = together(this.#memory, memorySum)
    cpuTotal.add(cpu)
    memoryTotal.add(memory)
    const span = new ReadSpan(this.#startHour, this.#endHour - this.#startHour, cpu, memory)
    span.oomKills = this.#oomKills
    span.periods = this.#periods
    span.throttledPeriods = this.#throttledPeriods
    span.throttledShare = this.#periods > 0 ? this.#throttledPeriods / this.#periods : 0
    span.calmCpu = begins ? calmCpu : undefined
    closed.push(span)
    this.#begins = false
    this.#oomKills = 0
    this.#periods = 0
    this.#throttledPeriods = 0
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
  periods = 0
  throttledPeriods = 0
  throttledShare = 0
  calmCpu: Distribution | undefined

  constructor(startHour: number, hours: number, cpu: Distribution, memory: Distribution) {
    this.startHour = startHour
    this.hours = hours
    this.cpu = cpu
    this.memory = memory
  }
}

/** Makes an object of a distribution. */
export class DistributionReader {
  kept = new Distribution()
  addFrom(reader: ByteReader): void {
    this.kept = readDistribution(reader)
  }
}

/** What there is and what was added up besides, of which nothing is left there. */
function together(known: Distribution | undefined, sum: DistributionSum): Distribution {
  if (sum.isEmpty) return known ?? nothing
  if (known !== undefined) sum.add(known)
  return sum.drain()
}

/** Those of the reading under way. An array of its own for each would be made where objects that last are, and its spans with it. */
const closed: PodSpan[] = []

const dayHours = 24
const nothing = new Distribution()

const [dayCpu, dayMemory] = [new DistributionReader(), new DistributionReader()]
const calmSum = new DistributionSum()
const startSum = new DistributionSum()
const memorySum = new DistributionSum()
const cpuTotal = new DistributionSum()
const memoryTotal = new DistributionSum()
