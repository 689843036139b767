import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { hourMs } from '../domain/time.ts'
import { Accumulator } from '../usage/digest/accumulator.ts'
import {
  type CheckpointChanges,
  checkpointPieces,
  requeueChanges,
  restoreAccumulator,
  settleChanges,
} from '../usage/digest/checkpoint.ts'
import { prometheusLabel } from '../usage/digest/entities.ts'
import type { SubjectUsage } from '../usage/digest/subject-usage.ts'
import type { Partition, StoredEntry, UsageStore } from '../usage/port.ts'
import { sampleAgeLimits } from './ingest-deps.ts'
import type { RecentRequests } from './recent-requests.ts'
import type { DecodedSamples } from './remote-write/samples.ts'
import { journalLimits, MalformedRequest } from './remote-write/wire.ts'
import { compactDays } from './retention.ts'
import { SampleWriter } from './sample-writer.ts'

/** Digests one partition's samples, from opening it until another does. Calls must not overlap. */
export class Digester {
  readonly partition: Partition
  readonly epoch: number
  readonly writer: SampleWriter
  readonly #store: UsageStore
  readonly #recent: RecentRequests | undefined
  #resume: string
  #keptResume: string
  #lastSequence = 0
  #consumed: number[] = []
  #forgotten = new Set<string>()
  #evictedHour = 0
  #compactedHour = 0
  /** Number of journal entries that can no longer be read, although they could be when they arrived. */
  unreadable = 0

  private constructor(
    store: UsageStore,
    partition: Partition,
    epoch: number,
    resume: string,
    writer: SampleWriter,
    recent: RecentRequests | undefined,
  ) {
    this.#store = store
    this.#recent = recent
    this.partition = partition
    this.epoch = epoch
    this.#resume = resume
    this.#keptResume = resume
    this.writer = writer
  }

  static async open(
    store: UsageStore,
    partition: Partition,
    keptLabels: readonly string[] = [],
    recent?: RecentRequests,
  ): Promise<Digester> {
    const opened = await store.open(partition)
    // Everything in the journal was acknowledged, so it is never refused here.
    const accumulator = new Accumulator({
      ...sampleAgeLimits,
      maxSubjects: Number.POSITIVE_INFINITY,
      keptLabels: new Set(keptLabels.map(prometheusLabel)),
    })
    restoreAccumulator(accumulator, opened)
    const limits = { ...journalLimits, maxKnownSeries: Number.POSITIVE_INFINITY }
    const writer = new SampleWriter(accumulator, limits)
    return new Digester(store, partition, opened.epoch, opened.resume, writer, recent)
  }

  get resume(): string {
    return this.#resume
  }

  set resume(point: string) {
    this.#resume = point
  }

  get hasChanges(): boolean {
    return this.#consumed.length > 0
  }

  /** Digests a piece of the journal; returns its bytes, 0 if nothing was waiting. */
  async digest(): Promise<number> {
    let bytes = 0
    // A copy: whatever is received or forgotten in the meantime, it contains every entry that comes without a body.
    const recent = new Map(this.#recent?.requestsOf(this.partition))
    const known = [...recent.keys()]
    const entries = await this.#store.journal(this.partition, this.#lastSequence, pieceBytes, known)
    for (const entry of entries) {
      const { body, samples } = recent.get(entry.sequence) ?? { body: entry.body }
      await this.#digestEntry({ ...entry, body }, samples)
      this.#lastSequence = entry.sequence
      this.#consumed.push(entry.sequence)
      bytes += body.length
      await turnOfEventLoop()
    }
    this.#recent?.forget(this.partition, this.#lastSequence)
    return bytes
  }

  async #digestEntry(entry: StoredEntry, samples?: DecodedSamples): Promise<void> {
    try {
      const known = samples && this.writer.recall(samples, entry.cluster, entry.receivedAt)
      const batch = known ?? this.writer.read(entry.body, entry.format, entry.cluster, entry.receivedAt)
      for (const _ of this.writer.writeInPieces(batch, entry.receivedAt)) await turnOfEventLoop()
    } catch (error) {
      if (!(error instanceof MalformedRequest)) throw error
      this.unreadable++
    }
  }

  /**
   * Makes digested samples durable. If that fails, they are part of the next commit. The subjects of a large organisation
   * are committed in pieces, so that others do not wait long, and journal entries are removed with the last piece: a node
   * that takes over between two pieces reads them again, and samples of subjects that were committed are below their
   * watermarks.
   */
  async commit(betweenPieces: () => Promise<void> = async () => undefined): Promise<void> {
    const { accumulator } = this.writer
    const consumed = this.#consumed
    const forgotten = [...this.#forgotten].filter((key) => !accumulator.subjects.has(key)).slice(0, atOnce)
    const versions = new Map<SubjectUsage, number>()
    let first: CheckpointChanges | undefined
    this.#consumed = []
    try {
      for (const { changes, isLast } of checkpointPieces(accumulator, atOnce)) {
        first ??= changes
        for (const [usage, version] of changes.versions) versions.set(usage, version)
        const rest = isLast
          ? { entities: first.entities, consumed, forgotten, resume: this.#resume }
          : { entities: [], consumed: [], forgotten: [], resume: this.#keptResume }
        const subjectCount = accumulator.subjects.size
        await this.#store.commit(this.partition, this.epoch, {
          subjects: changes.subjects,
          subjectCount,
          ...rest,
        })
        await betweenPieces()
      }
    } catch (error) {
      if (first !== undefined) requeueChanges(accumulator, first)
      this.#consumed = [...consumed, ...this.#consumed]
      throw error
    }
    this.#keptResume = this.#resume
    this.#afterCommit({ ...first!, versions }, forgotten)
  }

  #afterCommit(changes: CheckpointChanges, forgotten: readonly string[]): void {
    const { accumulator } = this.writer
    settleChanges(accumulator, changes)
    for (const key of forgotten) this.#forgotten.delete(key)
    const hour = Math.floor(accumulator.newestMs / hourMs)
    if (hour <= this.#evictedHour) return
    this.#evictedHour = hour
    for (const key of accumulator.evict()) this.#forgotten.add(key)
  }

  /** Once an hour, or more often while there are more days than fit in a turn. */
  async compact(nowMs: number): Promise<void> {
    const hour = Math.floor(nowMs / hourMs)
    if (hour <= this.#compactedHour) return
    const before = Math.min(hour - 1, this.#oldestOpenHour())
    const compacted = await compactDays(this.#store, this.partition, this.epoch, before, daysInATurn)
    if (compacted < daysInATurn) this.#compactedHour = hour
  }

  #oldestOpenHour(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const { open } of this.writer.accumulator.subjects.values())
      for (const { digest } of open) oldest = Math.min(oldest, digest.hour)
    return oldest
  }
}

const pieceBytes = 8 << 20
/** Subject days per turn, about a second of work. An earlier release may have left very many days without a summary. */
const daysInATurn = 4000
/** Number of subjects that are committed, and that are forgotten, in one transaction. */
const atOnce = 1000
