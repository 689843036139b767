import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import type { MessageFormat } from '../collectors/remote-write/decode.ts'
import { MalformedRequest } from '../collectors/remote-write/wire.ts'
import { hourMs } from '../domain/time.ts'
import { type Partition, Superseded } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import { collectionName } from './collect-usage.ts'
import { Digester } from './digester.ts'
import { Overloaded } from './group-commit.ts'
import { type IngestDeps, sampleAgeLimits } from './ingest-deps.ts'
import { type Refusal, RequestValidator } from './request-validator.ts'

/** A piece of the history of a PromQL engine, which a client reads and sends oldest first. */
export interface CollectedRequest {
  readonly organisation: string
  readonly cluster: string
  /** Names the engine; see engineName. */
  readonly engine: string
  readonly format: MessageFormat
  readonly body: Uint8Array
  /** No sample is later, and the ages of samples are judged by it. If it is undefined, nothing is written. */
  readonly untilMs: number | undefined
  /** Whether everything before that time has been sent with this request. */
  readonly isComplete: boolean
}

export interface CollectedSummary {
  readonly samples: number
  /** Number of samples that are too old, too far ahead or too large. */
  readonly rejected: number
  /** Number of refused samples; all of them if there is a refusal. */
  readonly refused: number
  readonly refusal: Refusal | undefined
  /** Everything before this time is collected; 0 if nothing is. */
  readonly doneUntilMs: number
  /** Number of containers and processes in the last two days of the collection. */
  readonly subjects: number
}

/**
 * Collections whose samples arrive in requests. They are digested at once, and acknowledged when they are committed together
 * with the resume point. No journal is needed, because the client queries its engine again from there.
 */
export class ReceivedCollections {
  readonly #deps: IngestDeps
  readonly #maxSeries: number
  readonly #validator: RequestValidator
  /**
   * Digesters that stay in memory for the next request. If another node has taken the partition over since, a commit is
   * refused.
   */
  readonly #open = new Map<string, { readonly digester: Digester; usedAt: number }>()
  readonly #busy = new Set<string>()

  constructor(deps: IngestDeps, maxSeries: number, isMemoryShort: () => boolean = () => false) {
    // The collections that this node makes itself have another holder.
    this.#deps = { ...deps, holder: `${deps.holder} receiving` }
    this.#maxSeries = maxSeries
    this.#validator = new RequestValidator(maxSeries, () =>
      isMemoryShort()
        ? { code: 'overloaded', message: 'too little memory is left for new series' }
        : undefined,
    )
  }

  /** Rejects with MalformedRequest, Overloaded or StoreUnavailable; nothing of the request counts then. */
  async receive(request: CollectedRequest): Promise<CollectedSummary> {
    const { store, holder, now } = this.#deps
    if ((request.untilMs ?? 0) > now() + sampleAgeLimits.maxAheadMs)
      throw new MalformedRequest("until is ahead of the server's clock")
    const partition = { organisation: request.organisation, source: collectionName(request) }
    const lease = partitionLease(partition)
    if (this.#busy.has(lease) || this.#busy.size >= maxAtOnce) throw new Overloaded(alreadyCollecting)
    this.#busy.add(lease)
    try {
      if (!(await store.leases.acquire(lease, holder, leaseMs))) throw new Overloaded(alreadyCollecting)
      return await this.#take(request, partition, lease).finally(() => store.leases.release(lease, holder))
    } catch (error) {
      this.#open.delete(lease)
      throw error instanceof Superseded ? new Overloaded(alreadyCollecting) : error
    } finally {
      this.#busy.delete(lease)
    }
  }

  /** Must be called from time to time. */
  forgetIdle(): void {
    for (const [lease, { usedAt }] of this.#open)
      if (performance.now() - usedAt > idleMs && !this.#busy.has(lease)) this.#open.delete(lease)
  }

  async #take(request: CollectedRequest, partition: Partition, lease: string): Promise<CollectedSummary> {
    const { cluster, untilMs, isComplete } = request
    const digester = await this.#digesterOf(partition, lease)
    if (digester === undefined) return { ...nothing, refusal: tooManyCollections }
    const { subjects } = digester.writer.accumulator
    if (untilMs === undefined)
      return { ...nothing, doneUntilMs: Number(digester.resume), subjects: subjects.size }
    const { received, parts } = this.#validator.check(request, untilMs)
    const { samples } = received
    const rejected = received.oversized + received.tooOld + received.inTheFuture
    const refusal = received.refusal ?? (subjects.size > this.#maxSeries ? tooManySubjects : undefined)
    if (refusal !== undefined) return { ...nothing, samples, refused: samples, refusal }
    for (const { format, body } of parts) {
      const batch = digester.writer.read(body, format, cluster, untilMs)
      for (const _ of digester.writer.writeInPieces(batch, untilMs)) await turnOfEventLoop()
    }
    if (isComplete) digester.resume = String(Math.max(Number(digester.resume), untilMs))
    const { store, holder } = this.#deps
    await digester.commit(async () => void (await store.leases.acquire(lease, holder, leaseMs)))
    if (isComplete) await digester.compact(untilMs)
    const doneUntilMs = Number(digester.resume)
    return { ...nothing, samples, rejected, doneUntilMs, subjects: subjects.size }
  }

  /** Returns undefined if the organisation already has as many collections as it may. */
  async #digesterOf(partition: Partition, lease: string): Promise<Digester | undefined> {
    const { store, keptLabels } = this.#deps
    const open = this.#open.get(lease)
    if (open !== undefined) {
      open.usedAt = performance.now()
      return open.digester
    }
    const partitions = await store.usage.partitions()
    const own = partitions.filter(({ organisation }) => organisation === partition.organisation)
    const sources = new Set(own.map(({ source }) => source))
    if (sources.size > maxCollections && !sources.has(partition.source)) return undefined
    const digester = await Digester.open(store.usage, partition, keptLabels)
    if (this.#open.size >= maxAtOnce) this.#open.delete(this.#open.keys().next().value!)
    this.#open.set(lease, { digester, usedAt: performance.now() })
    return digester
  }
}

const alreadyCollecting = 'another process is collecting this cluster from this engine, or too many collect'
const tooManyCollections: Refusal = {
  code: 'too-many-series',
  message: 'the organisation has as many collections as it may',
}
const tooManySubjects: Refusal = {
  code: 'too-many-series',
  message: 'more containers and processes within two days than are allowed',
}
const nothing = { samples: 0, rejected: 0, refused: 0, refusal: undefined, doneUntilMs: 0, subjects: 0 }
const maxAtOnce = 4
/** The number of collections that one organisation may have. */
const maxCollections = 100
const leaseMs = 60_000
const idleMs = hourMs / 6
