import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DigestCursor } from '../digest/cursor.ts'

/** Where a container's distributions go. */
export interface DistributionSink {
  /** Whether the sums of a day are enough. */
  isWhole(day: number): boolean
  /** Whether hours in which the container began are kept apart: then a day's sums are not enough. */
  readonly partsStarts: boolean
  /** Hours ascend. */
  open(hour: number): void
  /** CPU and memory of the open hour; what is read contains its count and sum. */
  takeCpu(reader: ByteReader, begins: boolean): CountAndSum
  takeMemory(reader: ByteReader): CountAndSum
  /** All hours of a day at once. */
  takeDay(cursor: DigestCursor): void
  /** Adds events of the open hour. */
  count(events: HourEvents): void
}

export interface HourEvents {
  readonly oomKills: number
  /** Restarts of any cause. */
  readonly restarts: number
  /** Periods of the CPU quota. */
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMs: number
}

/** What a distribution comes to. */
export interface CountAndSum {
  readonly count: number
  readonly sum: number
}
