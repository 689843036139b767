import { DigestScheduler } from './digest-scheduler.ts'
import { GroupCommit, Overloaded } from './group-commit.ts'
import type { HeldPartition, SampleOutcomeCounts } from './held-partition.ts'
import { type IngestDeps, pushSource } from './ingest-deps.ts'
import {
  type PushedRequest,
  type ReceiveSummary,
  type Refusal,
  RequestValidator,
  type ValidatedRequest,
} from './request-validator.ts'

/** Six million samples of an organisation: a faster sender is refused before the disk is full. */
const maxBacklogBytes = 256 << 20

/** The ingest pipeline: receive() and then digestTurn() contain every step of a pushed sample. */
export class Ingester {
  readonly scheduler: DigestScheduler
  readonly #deps: IngestDeps
  readonly #maxSeries: number
  readonly #isMemoryShort: () => boolean
  readonly #validator: RequestValidator
  readonly #journal: GroupCommit
  readonly #counts = new ReceivedCounts()

  /** When memory is short, new series of every organisation are refused, and known ones continue. */
  constructor(deps: IngestDeps, maxSeries: number, isMemoryShort: () => boolean = () => false) {
    this.#deps = deps
    this.#maxSeries = maxSeries
    this.#isMemoryShort = isMemoryShort
    this.#validator = new RequestValidator(
      maxSeries,
      (organisation) => this.#refusalOf(organisation),
      deps.isSharded,
    )
    this.#journal = new GroupCommit((entries) => deps.store.usage.append(entries))
    this.scheduler = new DigestScheduler(deps, digestTurn)
  }

  /**
   * Resolves when the request is durable, except for the part that the summary reports as refused. Rejects with
   * MalformedRequest if the request can never be accepted, and with Overloaded or StoreUnavailable if it may be accepted
   * later: when it is sent again, samples that were already stored count once.
   */
  async receive(request: PushedRequest): Promise<ReceiveSummary> {
    const receivedAt = this.#admit(request)
    const validated = this.#validator.check(request, receivedAt)
    if (validated.isDigestible) await this.#keep(request, validated, receivedAt)
    return this.#counts.add(validated)
  }

  /** Returns the time by which the ages of samples are judged. */
  #admit({ organisation }: PushedRequest): number {
    if (this.scheduler.backlogBytesOf(organisation) > maxBacklogBytes)
      throw new Overloaded('too much usage is waiting to be digested')
    return this.#deps.now()
  }

  async #keep({ organisation, cluster }: PushedRequest, { parts }: ValidatedRequest, receivedAt: number) {
    await Promise.all(
      parts.map(async ({ shard, format, body, samples }) => {
        const partition = { organisation, source: pushSource, shard }
        const sequence = await this.#journal.add({ partition, receivedAt, format, cluster, body })
        if (samples !== undefined) this.#deps.recent?.keep(partition, sequence, { body, samples })
        this.scheduler.wake(partition, body.length)
      }),
    )
  }

  #refusalOf(organisation: string): Refusal | undefined {
    const { scheduler } = this
    if (Math.max(scheduler.subjectsOf(organisation), scheduler.entitiesOf(organisation)) >= this.#maxSeries)
      return {
        code: 'too-many-series',
        message: 'more containers, processes or other objects within two days than are allowed',
      }
    return this.#isMemoryShort()
      ? { code: 'overloaded', message: 'too little memory is left for new series' }
      : undefined
  }

  figures(): IngestStats {
    return {
      ...this.#counts.statsWith(this.scheduler.totals),
      transactions: this.#journal.transactions,
      series: this.#validator.series,
      subjects: this.scheduler.subjects,
      shards: this.scheduler.shards,
      waitingBytes: this.#journal.waitingBytes,
    }
  }

  async stop(): Promise<void> {
    await this.#journal.idle()
    await this.scheduler.stop()
  }
}

/** One turn of a partition that this node digests. Returns true if more is waiting. */
export async function digestTurn(partition: HeldPartition): Promise<boolean> {
  await partition.renewLease()
  const isMore = await partition.digest()
  await partition.checkpointIfDue()
  if (!isMore) await partition.compactIfSettled()
  return isMore
}

/** Figures for the operator, which name no organisation. The first four only grow. */
export interface IngestStats {
  readonly received: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  readonly irregularities: Readonly<Record<string, number>>
  readonly transactions: number
  readonly series: number
  readonly subjects: number
  readonly shards: number
  readonly waitingBytes: number
}

class ReceivedCounts {
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

  /** Returns the counts together with the outcomes of the samples that were digested. */
  statsWith(digested: SampleOutcomeCounts): Pick<IngestStats, 'received' | 'outcomes' | 'irregularities'> {
    const { outcomes, resets, gaps, unreadable } = digested
    return {
      received: { ...this.#received },
      outcomes: {
        ...outcomes,
        too_old: (outcomes.too_old ?? 0) + this.#undigested.too_old,
        in_the_future: (outcomes.in_the_future ?? 0) + this.#undigested.in_the_future,
      },
      irregularities: { counter_reset: resets, gap: gaps, unreadable_request: unreadable },
    }
  }
}
