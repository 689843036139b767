import type { SampleOutcome } from '../usage/digest/subject-usage.ts'
import { type Partition, Superseded } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import { Digester } from './digester.ts'
import { type IngestDeps, maxCheckpointPauseMs } from './ingest-deps.ts'
import { leaseMsOf } from './live-nodes.ts'

/**
 * A partition that this node digests, from taking its lease to releasing it. Calls must not overlap. Digester digests and
 * commits, also without a lease (collections, the demo); this class has the lease, the backlog and the times of commits.
 */
export class HeldPartition {
  readonly partition: Partition
  readonly #deps: IngestDeps
  readonly #digester: Digester
  readonly #totals: SampleOutcomeCounts
  /** Bytes of entries that arrived while it was held; entries from other nodes are not counted. */
  backlogBytes = 0
  /** About the number of partitions that all nodes hold: more nodes must not mean more commits to the one database. */
  siblings = 1
  #leasedAt = performance.now()
  #turnAt = Number.NEGATIVE_INFINITY
  #isLost = false
  #busyAt = performance.now()
  #committedAt = 0
  #pauseMs = 0

  private constructor(
    deps: IngestDeps,
    partition: Partition,
    digester: Digester,
    totals: SampleOutcomeCounts,
  ) {
    this.#deps = deps
    this.partition = partition
    this.#digester = digester
    this.#totals = totals
  }

  /** Returns undefined if another node holds the lease. */
  static async take(
    deps: IngestDeps,
    partition: Partition,
    totals: SampleOutcomeCounts,
  ): Promise<HeldPartition | undefined> {
    const { store, holder, keptLabels, recent } = deps
    if (!(await store.leases.acquire(partitionLease(partition), holder, leaseMsOf(deps)))) return undefined
    const digester = await Digester.open(store.usage, partition, keptLabels, recent)
    return new HeldPartition(deps, partition, digester, totals)
  }

  get subjects(): number {
    return this.#digester.writer.accumulator.subjects.size
  }

  get entities(): number {
    return this.#digester.writer.accumulator.facts.entities.size
  }

  get isIdle(): boolean {
    return performance.now() - this.#busyAt > idleMs
  }

  /**
   * Whether a turn is worthwhile. A turn costs a query and more, so entries that arrive soon after one are collected for
   * the next: otherwise shards that are spread over more nodes would have more turns with fewer samples each.
   */
  get isDue(): boolean {
    const sinceTurnMs = performance.now() - this.#turnAt
    const isCollected = sinceTurnMs >= collectMs || this.backlogBytes >= collectBytes
    return (this.backlogBytes > 0 && isCollected) || this.#isCheckpointDue || sinceTurnMs > quietTurnMs
  }

  get #isCheckpointDue(): boolean {
    return this.#digester.hasChanges && performance.now() - this.#committedAt >= this.#pauseMs
  }

  /** Called after the lease was renewed together with others, or was lost. */
  leaseRenewed(isHeld: boolean): void {
    if (isHeld) this.#leasedAt = performance.now()
    else this.#isLost = true
  }

  /** Throws Superseded if the lease is lost. */
  async renewLease(): Promise<void> {
    const { store, holder } = this.#deps
    this.#turnAt = performance.now()
    if (this.#isLost) throw new Superseded('the lease is lost')
    const leaseMs = leaseMsOf(this.#deps)
    if (performance.now() - this.#leasedAt <= leaseMs / 2) return
    this.#leasedAt = performance.now()
    if (!(await store.leases.acquire(partitionLease(this.partition), holder, leaseMs)))
      throw new Superseded('the lease is lost')
  }

  /** Digests a piece of the journal. Returns whether more is probably waiting. */
  async digest(): Promise<boolean> {
    const bytes = await this.#digester.digest()
    if (bytes === 0) {
      this.backlogBytes = 0
      return false
    }
    this.#busyAt = performance.now()
    this.backlogBytes = Math.max(0, this.backlogBytes - bytes)
    return this.backlogBytes > 0 || bytes >= collectBytes
  }

  async checkpointIfDue(): Promise<void> {
    if (this.#isCheckpointDue) await this.#checkpoint()
  }

  async compactIfSettled(): Promise<void> {
    if (!this.#digester.hasChanges) await this.#digester.compact(this.#deps.now())
  }

  /** Commits what was digested, and releases the lease for another node. */
  async release(): Promise<void> {
    const { store, holder } = this.#deps
    await this.#checkpoint()
    await store.leases.release(partitionLease(this.partition), holder)
  }

  reportCounts(): void {
    this.#totals.take(this.#digester)
  }

  /** A pause is 50 times as long as the commit took, or longer with many siblings, and at most a minute. */
  async #checkpoint(): Promise<void> {
    if (!this.#digester.hasChanges) return
    const startedAt = performance.now()
    await this.#digester.commit(() => this.renewLease())
    this.#committedAt = performance.now()
    const tookMs = (this.#committedAt - startedAt) * Math.max(1, this.siblings / 4)
    this.#pauseMs = Math.min(maxCheckpointPauseMs, Math.max(minPauseMs, 50 * tookMs))
    this.reportCounts()
  }
}

/** Entries are collected this long after a turn, or up to this size, and then digested together. */
const collectMs = 1000
const collectBytes = 1 << 20
/** A partition without new samples has a turn this often, to close days. */
const quietTurnMs = 60_000
const idleMs = 15 * 60_000
const minPauseMs = 1000

/** Why samples were accepted or rejected, over all partitions. */
export class SampleOutcomeCounts {
  readonly outcomes: Partial<Record<SampleOutcome, number>> = {}
  resets = 0
  gaps = 0
  unreadable = 0

  /** Moves the counts of a digester since the last time into the totals. */
  take(digester: Digester): void {
    const { accumulator } = digester.writer
    for (const [outcome, count] of Object.entries(accumulator.counts) as [SampleOutcome, number][]) {
      this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count
      accumulator.counts[outcome] = 0
    }
    this.resets += accumulator.resets
    this.gaps += accumulator.gaps
    this.unreadable += digester.unreadable
    accumulator.resets = 0
    accumulator.gaps = 0
    digester.unreadable = 0
  }
}
