import type { SampleOutcome } from '../usage/digest/subject-usage.ts'
import type { Digester } from './digester.ts'
import type { ReceiveSummary, ValidatedRequest } from './request-validator.ts'

/** For the operator; no organisation is named. The first four only grow. */
export interface IngestStats {
  readonly received: Readonly<Record<string, number>>
  readonly verdicts: Readonly<Record<string, number>>
  readonly odd: Readonly<Record<string, number>>
  readonly transactions: number
  readonly series: number
  readonly subjects: number
  readonly shards: number
  readonly waitingBytes: number
}

/** Counts of what requests contained. */
export class ReceivedCounts {
  readonly #received = {
    understood: 0,
    ignored: 0,
    oversized: 0,
    stale_marker: 0,
    histogram: 0,
    exemplar: 0,
    refused: 0,
  }
  /** Counts of requests that contain nothing else and are therefore not digested. */
  readonly #undigested = { too_old: 0, in_the_future: 0 }

  add({ received, isDigestible }: ValidatedRequest): ReceiveSummary {
    this.#received.understood += received.understood
    this.#received.ignored += received.ignored
    this.#received.oversized += received.oversized
    this.#received.stale_marker += received.staleMarkers
    this.#received.histogram += received.histograms
    this.#received.exemplar += received.exemplars
    this.#received.refused += received.refused
    if (!isDigestible) {
      this.#undigested.too_old += received.tooOld
      this.#undigested.in_the_future += received.inTheFuture
    }
    return received
  }

  /** Together with what became of the samples that were digested. */
  with(digested: SampleOutcomeCounts): Pick<IngestStats, 'received' | 'verdicts' | 'odd'> {
    const { verdicts, resets, gaps, unreadable } = digested
    return {
      received: { ...this.#received },
      verdicts: {
        ...verdicts,
        too_old: (verdicts.too_old ?? 0) + this.#undigested.too_old,
        in_the_future: (verdicts.in_the_future ?? 0) + this.#undigested.in_the_future,
      },
      odd: { counter_reset: resets, gap: gaps, unreadable_request: unreadable },
    }
  }
}

/** Why samples were accepted or rejected, over all partitions. */
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
