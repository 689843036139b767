import type { MessageFormat } from '../collectors/remote-write/negotiate.ts'
import { DigestScheduler, type IngestDeps, pushSource } from './digest-scheduler.ts'
import { GroupCommit, Overloaded } from './group-commit.ts'
import { type ReceiveSummary, RequestValidator } from './request-validator.ts'

export interface PushedRequest {
  readonly organisation: string
  readonly format: MessageFormat
  /** Cluster of series without a cluster label. */
  readonly cluster: string
  readonly body: Uint8Array
}

/** About six million samples of one organisation; who sends more than is digested is held up before the disk is full. */
const mostBacklogBytes = 256 << 20

/** Takes pushed usage in: reads it, makes it durable, digests it later. */
export class Ingester {
  readonly scheduler: DigestScheduler
  readonly #deps: IngestDeps
  readonly #validator: RequestValidator
  readonly #journal: GroupCommit
  readonly #received = {
    understood: 0,
    ignored: 0,
    oversized: 0,
    stale_marker: 0,
    histogram: 0,
    exemplar: 0,
    refused: 0,
  }

  /** Samples of requests that contain nothing else and are therefore not written to the journal. */
  readonly #notJournaled = { too_old: 0, in_the_future: 0 }

  /** When memory is short, no new series are accepted; known series continue. */
  constructor(deps: IngestDeps, maxSeries: number, isMemoryShort: () => boolean = () => false) {
    this.#deps = deps
    this.scheduler = new DigestScheduler(deps)
    this.#validator = new RequestValidator(maxSeries, (organisation) => {
      if (this.scheduler.subjectsOf(organisation) >= maxSeries)
        return {
          code: 'too-many-series',
          message: 'the limit of containers and processes within two days is reached',
        }
      return isMemoryShort()
        ? { code: 'overloaded', message: 'too little memory is left for new series' }
        : undefined
    })
    this.#journal = new GroupCommit((entries) => deps.store.usage.append(entries))
  }

  /**
   * Resolves when the request is durable, but for the part that it says was refused. Rejects with MalformedRequest for what can
   * never be taken; with Overloaded or StoreUnavailable for what may be taken later, of which nothing was kept.
   */
  async receive({ organisation, format, cluster, body: sent }: PushedRequest): Promise<ReceiveSummary> {
    const receivedAt = this.#deps.now()
    if (this.scheduler.backlogBytesOf(organisation) > mostBacklogBytes)
      throw new Overloaded('more waits to be digested than may')
    const { received, body } = this.#validator.check(organisation, sent, format, receivedAt)
    const { understood, tooOld, inTheFuture } = received
    if (understood > tooOld + inTheFuture) {
      const partition = { organisation, source: pushSource }
      await this.#journal.add({ partition, receivedAt, format, cluster, body })
      this.scheduler.wake(organisation, body.length)
    } else {
      this.#notJournaled.too_old += tooOld
      this.#notJournaled.in_the_future += inTheFuture
    }
    this.#received.understood += received.understood
    this.#received.ignored += received.ignored
    this.#received.oversized += received.oversized
    this.#received.stale_marker += received.staleMarkers
    this.#received.histogram += received.histograms
    this.#received.exemplar += received.exemplars
    this.#received.refused += received.refused
    return received
  }

  figures(): IngestStats {
    const { verdicts, resets, gaps, unreadable } = this.scheduler.totals
    return {
      received: { ...this.#received },
      verdicts: {
        ...verdicts,
        too_old: (verdicts.too_old ?? 0) + this.#notJournaled.too_old,
        in_the_future: (verdicts.in_the_future ?? 0) + this.#notJournaled.in_the_future,
      },
      odd: { counter_reset: resets, gap: gaps, unreadable_request: unreadable },
      transactions: this.#journal.transactions,
      series: this.#validator.series,
      subjects: this.scheduler.subjects,
      waitingBytes: this.#journal.waitingBytes,
    }
  }

  async stop(): Promise<void> {
    await this.#journal.idle()
    await this.scheduler.stop()
  }
}

/** For the operator; no organisation is named. The first four only grow. */
export interface IngestStats {
  readonly received: Readonly<Record<string, number>>
  readonly verdicts: Readonly<Record<string, number>>
  readonly odd: Readonly<Record<string, number>>
  readonly transactions: number
  readonly series: number
  readonly subjects: number
  readonly waitingBytes: number
}
