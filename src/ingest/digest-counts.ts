import type { SampleOutcome } from '../usage/digest/channel.ts'
import type { Digester } from './digester.ts'

/** Why samples were taken or left, over all partitions; it names none. */
export class SampleOutcomeCounts {
  readonly verdicts: Partial<Record<SampleOutcome, number>> = {}
  resets = 0
  gaps = 0
  unreadable = 0

  /** Moves what a digester has counted since the last time. */
  take(digester: Digester): void {
    const { accumulator } = digester.writer
    for (const [verdict, count] of Object.entries(accumulator.counts) as [SampleOutcome, number][]) {
      this.verdicts[verdict] = (this.verdicts[verdict] ?? 0) + count
      accumulator.counts[verdict] = 0
    }
    this.resets += accumulator.resets
    this.gaps += accumulator.gaps
    this.unreadable += digester.unreadable
    accumulator.resets = 0
    accumulator.gaps = 0
    digester.unreadable = 0
  }
}
