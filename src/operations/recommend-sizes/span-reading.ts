import type { ByteReader } from '../../usage/bytes.ts'
import type { DigestCursor } from '../../usage/digest-cursor.ts'
import { Distribution } from '../../usage/distribution.ts'
import { readDistribution } from '../../usage/distribution-codec.ts'
import { DistributionSum } from '../../usage/distribution-sum.ts'
import type { SpanOfUse } from './pod-usage.ts'

/** Where a container's distributions go. */
export interface Gathering {
  /** Whether the sums of a day are enough. */
  isWhole(day: number): boolean
  /** Whether hours in which the container began are kept apart: then a day's sums are not enough. */
  readonly partsStarts: boolean
  /** Hours ascend. */
  open(hour: number): void
  /** Where CPU and memory of an hour go. */
  cpuSum(begins: boolean): DistributionSum
  memorySum(): DistributionSum
  /** All hours of a day at once. */
  takeDay(cursor: DigestCursor): void
  count(hour: number, oomKills: number, periods: number, throttledPeriods: number): void
}

/** Gathers a container's hours into spans: the 24 before the latest one by one, before them days as the calendar has them. */
export class SpanReading implements Gathering {
  readonly partsStarts = true
  readonly #hourlyFrom: number
  readonly #spans: SpanOfUse[] = []
  #span = { ...emptySpan }
  /** Sums of the open span that need no adding up. */
  #day: Sums | undefined

  constructor(latestHour: number) {
    this.#hourlyFrom = latestHour - dayHours
    for (const sum of [calmSum, startSum, memorySum, cpuTotal, memoryTotal]) sum.clear()
  }

  /** Its hours belong to one span. */
  isWhole(day: number): boolean {
    return (day + 1) * dayHours <= this.#hourlyFrom
  }

  open(hour: number): void {
    if (hour < this.#span.nextSpan) return
    this.#close()
    const isHour = hour >= this.#hourlyFrom
    const startHour = isHour ? hour : Math.floor(hour / dayHours) * dayHours
    const nextSpan = isHour ? hour + 1 : Math.min(startHour + dayHours, this.#hourlyFrom)
    this.#span = { ...emptySpan, startHour, nextSpan }
  }

  cpuSum(begins: boolean): DistributionSum {
    this.#span.begins ||= begins
    return begins ? startSum : calmSum
  }

  memorySum(): DistributionSum {
    return memorySum
  }

  takeDay(cursor: DigestCursor): void {
    cursor.takeDay(dayCpu, dayMemory)
    const [cpu, memory] = [dayCpu.kept, dayMemory.kept]
    if (this.#day !== undefined) {
      calmSum.add(this.#day.cpu)
      memorySum.add(this.#day.memory)
    }
    this.#day = { cpu, memory }
  }

  count(hour: number, oomKills: number, periods: number, throttledPeriods: number): void {
    const span = this.#span
    span.endHour = hour + 1
    span.oomKills += oomKills
    span.periods += periods
    span.throttledPeriods += throttledPeriods
  }

  /** Oldest first, with what all of them come to; a reading is finished before the next begins. */
  finish(): Sums & { readonly spans: readonly SpanOfUse[] } {
    this.#close()
    return { spans: this.#spans, cpu: cpuTotal.total(), memory: memoryTotal.total() }
  }

  #close(): void {
    const { startHour, endHour, oomKills, periods, throttledPeriods, begins } = this.#span
    if (endHour === 0) return
    const day = this.#day
    if (day !== undefined && !calmSum.isEmpty) calmSum.add(day.cpu)
    if (day !== undefined && !memorySum.isEmpty) memorySum.add(day.memory)
    const calmCpu = calmSum.isEmpty ? (day?.cpu ?? nothing) : drained(calmSum)
    const cpu = begins ? both(calmCpu, drained(startSum)) : calmCpu
    const memory = memorySum.isEmpty ? (day?.memory ?? nothing) : drained(memorySum)
    this.#day = undefined
    cpuTotal.add(cpu)
    memoryTotal.add(memory)
    this.#spans.push({
      startHour,
      hours: endHour - startHour,
      cpu,
      memory,
      oomKills,
      periods,
      throttledPeriods,
      ...(begins ? { calmCpu } : {}),
    })
  }
}

interface Sums {
  readonly cpu: Distribution
  readonly memory: Distribution
}

/** Makes an object of a distribution. */
export class Keeper {
  kept = new Distribution()
  addFrom(reader: ByteReader): void {
    this.kept = readDistribution(reader)
  }
}

function drained(sum: DistributionSum): Distribution {
  const total = sum.total()
  sum.clear()
  return total
}

function both(calm: Distribution, start: Distribution): Distribution {
  calmSum.add(calm)
  calmSum.add(start)
  return drained(calmSum)
}

const dayHours = 24
const nothing = new Distribution()

const [dayCpu, dayMemory] = [new Keeper(), new Keeper()]
const calmSum = new DistributionSum()
const startSum = new DistributionSum()
const memorySum = new DistributionSum()
const cpuTotal = new DistributionSum()
const memoryTotal = new DistributionSum()

const emptySpan = {
  startHour: 0,
  endHour: 0,
  nextSpan: 0,
  oomKills: 0,
  periods: 0,
  throttledPeriods: 0,
  begins: false,
}
