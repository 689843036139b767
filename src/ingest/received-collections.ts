import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { hourMs } from '../domain/time.ts'
import { FairQueue } from '../runtime/fair-queue.ts'
import { type Partition, Superseded } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import { collectionName, overlapMs } from './collect-usage.ts'
import { Digester } from './digester.ts'
import { Overloaded } from './group-commit.ts'
import { type IngestDeps, retentionDaysOf, sampleAgeLimits } from './ingest-deps.ts'
import { MalformedRequest } from './remote-write/wire.ts'
import { type PushedRequest, type Refusal, RequestValidator } from './request-validator.ts'

/** A piece of the history of a PromQL engine, which a client reads and sends oldest first. */
export interface CollectedRequest extends PushedRequest {
  /** Names the engine; see engineName. */
  readonly engine: string
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

/** Digested at once, and acknowledged with the resume point. The client queries again from there, so no journal is needed. */
export class ReceivedCollections {
  readonly #deps: IngestDeps
  readonly #maxSeries: number
  readonly #isMemoryShort: () => boolean
  /** Kept for the next request. If another node has taken the partition over since, a commit is refused. */
  readonly #open = new Map<string, OpenCollection>()
  readonly #busy = new Set<string>()
  readonly #queue = new FairQueue({ slots: maxAtOnce, slotsPerOwner: maxAtOnce / 2, waitingPerOwner: 16 })

  constructor(deps: IngestDeps, maxSeries: number, isMemoryShort: () => boolean = () => false) {
    // The collections that this node makes itself have another holder.
    this.#deps = { ...deps, holder: `${deps.holder} receiving` }
    this.#maxSeries = maxSeries
    this.#isMemoryShort = isMemoryShort
  }

  /** Rejects with MalformedRequest, Overloaded or StoreUnavailable; nothing of the request counts then. */
  async receive(request: CollectedRequest): Promise<CollectedSummary> {
    const { store, holder, now } = this.#deps
    if ((request.untilMs ?? 0) > now() + sampleAgeLimits.maxAheadMs)
      throw new MalformedRequest("until is ahead of the server's clock")
    const partition = { organisation: request.organisation, source: collectionName(request) }
    const lease = partitionLease(partition)
    if (this.#busy.has(lease)) throw new Overloaded(alreadyCollecting)
    this.#busy.add(lease)
    let release = () => {}
    try {
      release = await this.#queue.enter(request.organisation, AbortSignal.timeout(maxWaitMs)).catch(() => {
        throw new Overloaded(tooManyAtOnce)
      })
      if (!(await store.leases.acquire(lease, holder, leaseMs))) throw new Overloaded(alreadyCollecting)
      return await this.#take(request, partition, lease).finally(() => store.leases.release(lease, holder))
    } catch (error) {
      this.#open.delete(lease)
      throw error instanceof Superseded ? new Overloaded(alreadyCollecting) : error
    } finally {
      release()
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
    const open = await this.#collectionOf(partition, lease)
    if (open === undefined) return { ...nothing, refusal: tooManyCollections }
    const { digester, validator } = open
    const { subjects, facts } = digester.writer.accumulator
    const doneBefore = { doneUntilMs: Number(digester.resume), subjects: subjects.size }
    // Containers that ended long ago have no watermark any more that could reject their samples.
    if (untilMs === undefined || untilMs <= doneBefore.doneUntilMs - overlapMs)
      return { ...nothing, ...doneBefore }
    const { received, parts } = validator.check(request, untilMs)
    const { samples } = received
    const rejected = received.oversized + received.tooOld + received.inTheFuture
    const refusal =
      received.refusal ??
      (Math.max(subjects.size, facts.entities.size) > this.#maxSeries ? tooManyObjects : undefined)
    if (refusal !== undefined) return { ...nothing, samples, refused: samples, refusal }
    if (this.#isBeforeRetention(request, untilMs))
      return { ...nothing, ...doneBefore, samples, rejected: samples }
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

  /** Usage from before the retention would be deleted soon, and each of its days needs tables in the meantime. */
  #isBeforeRetention({ organisation }: CollectedRequest, untilMs: number): boolean {
    const { retention, now } = this.#deps
    return retention !== undefined && untilMs < now() - retentionDaysOf(retention, organisation) * 24 * hourMs
  }

  /** Returns undefined if the organisation has the maximum number of collections. */
  async #collectionOf(partition: Partition, lease: string): Promise<OpenCollection | undefined> {
    const { store, keptLabels } = this.#deps
    const open = this.#open.get(lease)
    if (open !== undefined) {
      open.usedAt = performance.now()
      return open
    }
    const partitions = await store.usage.partitions()
    const own = partitions.filter(({ organisation }) => organisation === partition.organisation)
    const sources = new Set(own.map(({ source }) => source))
    if (sources.size > maxCollections && !sources.has(partition.source)) return undefined
    const digester = await Digester.open(store.usage, partition, keptLabels)
    const validator = new RequestValidator(this.#maxSeries, () =>
      this.#isMemoryShort()
        ? { code: 'overloaded', message: 'too little memory is left for new series' }
        : undefined,
    )
    const opened = { digester, validator, usedAt: performance.now() }
    if (this.#open.size >= maxAtOnce) this.#open.delete(this.#open.keys().next().value!)
    this.#open.set(lease, opened)
    return opened
  }
}

interface OpenCollection {
  readonly digester: Digester
  /** Series are forgotten as the time of the collection advances, so each collection has a validator of its own. */
  readonly validator: RequestValidator
  usedAt: number
}

const tooManyAtOnce = 'too many collections are being received; retry soon'
const alreadyCollecting = 'another process is collecting this cluster from this engine'
const tooManyCollections: Refusal = {
  code: 'too-many-series',
  message: 'the organisation has the maximum number of collections',
}
const tooManyObjects: Refusal = {
  code: 'too-many-series',
  message: 'more containers, processes or other objects within two days than are allowed',
}
const nothing = { samples: 0, rejected: 0, refused: 0, refusal: undefined, doneUntilMs: 0, subjects: 0 }
const maxAtOnce = 4
/** A request waits this long for others to end, and organisations take turns. */
const maxWaitMs = 10_000
/** The number of collections that one organisation may have. */
const maxCollections = 100
const leaseMs = 60_000
const idleMs = hourMs / 6
