import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'

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

/**
 * Gathers all hours into one sum: much less work than spans, and enough to see what is too small to be judged. One builder
 * serves one container after the other.
 */
export class TotalBuilder implements DistributionSink {
  readonly #cpu = new DistributionSum()
  readonly #memory = new DistributionSum()

  /** As new, for another container. */
  begin(): void {
    this.#cpu.clear()
    this.#memory.clear()
  }

  open(): void {}

  takeCpu(reader: ByteReader): CountAndSum {
    this.#cpu.addFrom(reader)
    return this.#cpu.last
  }

  takeMemory(reader: ByteReader): CountAndSum {
    this.#memory.addFrom(reader)
    return this.#memory.last
  }

  takeDay(summary: DaySummaryReader): void {
    summary.take(this.#cpu)
    summary.take(this.#memory)
  }

  count(): void {}

  finish(): { readonly cpu: Distribution; readonly memory: Distribution } {
    return { cpu: this.#cpu.total(), memory: this.#memory.total() }
  }
}
