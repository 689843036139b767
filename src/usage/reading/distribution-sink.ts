import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'

/** Where a container's distributions go. */
export interface DistributionSink {
  /** Hours ascend. */
  open(hour: number): void
  /** CPU and memory of the open hour; what is read contains its count and sum. */
  takeCpu(reader: ByteReader, begins: boolean): CountAndSum
  takeMemory(reader: ByteReader): CountAndSum
  /** Adds events of the open hour. */
  count(events: HourEvents): void
  /** A whole day at once. */
  takeDay(summary: DaySummaryReader, oomKills: number): void
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
