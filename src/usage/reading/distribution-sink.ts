import type { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'

/** Receives a container's distributions. */
export interface DistributionSink {
  /** Opens an hour; hours ascend. */
  open(hour: number): void
  /** Returns count and sum of what was read. `hasStart`: the container started in this hour. */
  takeCpu(reader: ByteReader, hasStart: boolean): CountAndSum
  takeMemory(reader: ByteReader): CountAndSum
  count(events: HourEvents): void
  takeDay(summary: DaySummaryReader, oomKills: number): void
}

export interface HourEvents {
  readonly oomKills: number
  readonly restarts: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMs: number
}

export interface CountAndSum {
  readonly count: number
  readonly sum: number
}

/** Much less work than spans, and enough to recognise containers that are too small to be judged. */
export class TotalBuilder implements DistributionSink {
  readonly #cpu = new DistributionSum()
  readonly #memory = new DistributionSum()

  reset(): void {
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
