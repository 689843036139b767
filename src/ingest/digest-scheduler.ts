import { StoreUnavailable } from '../store/port.ts'
import { type Partition, Superseded } from '../usage/port.ts'
import { partitionLease, partitionLeases, unsplit } from '../usage/shard.ts'
import { HeldPartition, SampleOutcomeCounts } from './held-partition.ts'
import { type IngestDeps, pushSource } from './ingest-deps.ts'
import { LiveNodes, leaseMsOf } from './live-nodes.ts'
import { splitJournal } from './split-journal.ts'

/** Digests pushed samples. One node at a time digests a shard of an organisation, whichever node received them. */
export class DigestScheduler {
  readonly totals = new SampleOutcomeCounts()
  readonly #deps: IngestDeps
  readonly #turn: (partition: HeldPartition) => Promise<boolean>
  readonly #nodes: LiveNodes
  /** Partitions that this node holds, by the name of their lease, least recently worked on first. */
  readonly #held = new Map<string, HeldPartition>()
  readonly #taking = new Map<string, Promise<void>>()
  readonly #working = new Map<HeldPartition, Promise<void>>()
  readonly #wanted = new Map<string, WantedPartition>()
  readonly #loggedAt = new Map<string, number>()
  /** Partitions that had entries at the last look, and no turn since. */
  #pending = new Set<string>()
  #counts: ReadonlyMap<string, number> = new Map()
  #lookedAt = Number.NEGATIVE_INFINITY
  #countedAt = Number.NEGATIVE_INFINITY
  #stopping = false
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined
  #renewTimer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined

  /** `turn` does a piece of a partition's work and returns true if more is waiting. */
  constructor(deps: IngestDeps, turn: (partition: HeldPartition) => Promise<boolean>) {
    this.#deps = deps
    this.#turn = turn
    this.#nodes = new LiveNodes(deps.store.leases, deps.holder)
  }

  start(): void {
    this.#renewInBackground()
    this.#renewTimer = setInterval(() => this.#renewInBackground(), leaseMsOf(this.#deps) / beatsPerLease)
    this.#running = this.#run()
  }

  /** Reports that this many more bytes of the partition are in the journal. */
  wake(partition: Partition, bytes: number): void {
    const held = this.#held.get(partitionLease(partition))
    if (held !== undefined) held.backlogBytes += bytes
    else if (this.#isOurs(partition)) this.#want(partition, bytes)
    this.#wake()
  }

  /** Bytes that wait in the journal for this node; those that another node digests are not known here. */
  backlogBytesOf(organisation: string): number {
    let bytes = this.#sum((held) => (held.partition.organisation === organisation ? held.backlogBytes : 0))
    for (const wanted of this.#wanted.values())
      if (wanted.partition.organisation === organisation) bytes += wanted.backlogBytes
    return bytes
  }

  #want(partition: Partition, bytes: number): void {
    const name = partitionLease(partition)
    const backlogBytes = (this.#wanted.get(name)?.backlogBytes ?? 0) + bytes
    this.#wanted.set(name, { partition, backlogBytes })
  }

  get subjects(): number {
    return this.#sum((held) => held.subjects)
  }

  get shards(): number {
    return this.#held.size
  }

  /** The greater of those on this node and, as of the last commits, those in all shards. */
  subjectsOf(organisation: string): number {
    const here = this.#sum((held) => (held.partition.organisation === organisation ? held.subjects : 0))
    return Math.max(here, this.#counts.get(organisation) ?? 0)
  }

  entitiesOf(organisation: string): number {
    return this.#sum((held) => (held.partition.organisation === organisation ? held.entities : 0))
  }

  #sum(figureOf: (held: HeldPartition) => number): number {
    let sum = 0
    for (const held of this.#held.values()) sum += figureOf(held)
    return sum
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake()
    await this.#running
    for (const held of [...this.#held.values()]) await this.#release(held)
    clearInterval(this.#renewTimer)
    await this.#renewing
    await this.#nodes.leave().catch((error) => this.#logFailure(error, 'leaving the cluster of nodes'))
  }

  /** With an embedded database, there is only one node and one shard. */
  #isOurs({ shard = unsplit }: Partition): boolean {
    return !this.#deps.isSharded || this.#nodes.owns(shard)
  }

  /** Leases are renewed independently of the work, which may take longer than leases last. */
  #renewInBackground(): void {
    this.#renewing ??= this.#renewLeases()
      .catch((error) => this.#logFailure(error, 'renewing leases'))
      .finally(() => {
        this.#renewing = undefined
      })
  }

  async #renewLeases(): Promise<void> {
    const held = new Map(this.#held)
    const nodesBefore = this.#nodes.count
    const lost = await this.#renew([...held.keys()])
    // The shards of a node that is gone are taken over at once.
    if (this.#nodes.count < nodesBefore) {
      this.#lookedAt = Number.NEGATIVE_INFINITY
      this.#wake()
    }
    for (const [name, partition] of held) partition.leaseRenewed(!lost.has(name))
  }

  /** Returns the leases that are lost. An embedded database is not written to while there is nothing to renew. */
  async #renew(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#deps.isSharded) return this.#nodes.beat(names)
    if (names.length === 0) return new Set()
    const { store, holder } = this.#deps
    const renewed = await store.leases.acquireAll(names, holder, leaseMsOf(this.#deps))
    return new Set(names).difference(new Set(renewed))
  }

  /** Several organisations at a time: none waits for another's checkpoint, and none gets more than its share. */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await this.#lookForWork()
      this.#startTaking()
      this.#startWork()
      if (this.#stopping) break
      let timer: NodeJS.Timeout | undefined
      const tick = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, tickMs)
      })
      await Promise.race([woken, tick])
      clearTimeout(timer)
    }
    await Promise.all([...this.#taking.values(), ...this.#working.values()])
  }

  #startWork(): void {
    const busy = new Map<string, number>()
    for (const { partition } of this.#working.keys())
      busy.set(partition.organisation, (busy.get(partition.organisation) ?? 0) + 1)
    for (const [name, held] of [...this.#held]) {
      const { organisation } = held.partition
      const atWork = busy.get(organisation) ?? 0
      const isWanted = held.isDue || this.#pending.has(name) || !this.#isOurs(held.partition)
      if (!isWanted || atWork >= maxAtWork || this.#working.has(held)) continue
      busy.set(organisation, atWork + 1)
      this.#pending.delete(name)
      this.#held.delete(name)
      this.#held.set(name, held)
      this.#working.set(held, this.#work(held))
    }
  }

  async #work(held: HeldPartition): Promise<void> {
    held.siblings = this.#held.size * this.#nodes.count
    const isMore = await this.#attemptTurn(held)
    this.#working.delete(held)
    if (isMore) this.#wake()
  }

  /** Finds journal entries that other nodes received, and those that a node that is gone left behind. */
  async #lookForWork(): Promise<void> {
    if (performance.now() - this.#lookedAt < checkIntervalMs) return
    this.#lookedAt = performance.now()
    try {
      const pending = (await this.#deps.store.usage.pending()).filter(({ source }) => source === pushSource)
      this.#pending = new Set(pending.map(partitionLease))
      if (this.#deps.isSharded && performance.now() - this.#countedAt >= countIntervalMs) {
        this.#countedAt = performance.now()
        this.#counts = await this.#countSubjects()
      }
      for (const partition of pending)
        if (this.#isOurs(partition) && !this.#held.has(partitionLease(partition))) this.#want(partition, 0)
    } catch (error) {
      this.#logFailure(error, 'looking for usage to digest')
    }
  }

  /**
   * A partition without a lease is in the memory of no node, whatever its last commit says. If it counted, an
   * organisation at its limit could never send a series again after a restart.
   */
  async #countSubjects(): Promise<ReadonlyMap<string, number>> {
    const { usage, leases } = this.#deps.store
    const held = new Set(await leases.held(partitionLeases))
    const counts = new Map<string, number>()
    for (const { partition, subjects } of await usage.subjectCounts()) {
      if (!held.has(partitionLease(partition))) continue
      counts.set(partition.organisation, (counts.get(partition.organisation) ?? 0) + subjects)
    }
    return counts
  }

  /** Takes some at a time, so that those that are already held are not kept waiting by thousands of others. */
  #startTaking(): void {
    for (const [name, wanted] of [...this.#wanted]) {
      if (this.#taking.size >= takenAtOnce) return
      if (this.#taking.has(name)) continue
      const taking = this.#take(wanted).then((isTaken) => {
        this.#taking.delete(name)
        if (isTaken) this.#wake()
      })
      this.#taking.set(name, taking)
    }
  }

  /** Returns false if it failed and must be tried again. */
  async #take(wanted: WantedPartition): Promise<boolean> {
    const { partition } = wanted
    const name = partitionLease(partition)
    try {
      if (this.#deps.isSharded && (partition.shard ?? unsplit) === unsplit) {
        await splitJournal(this.#deps, partition)
      } else {
        const held = await HeldPartition.take(this.#deps, partition, this.totals)
        if (held !== undefined) {
          held.backlogBytes += this.#wanted.get(name)?.backlogBytes ?? 0
          this.#held.set(name, held)
        }
      }
      this.#wanted.delete(name)
      return true
    } catch (error) {
      this.#logFailure(error, 'taking over a partition of usage')
      // It is tried again after the others.
      const again = this.#wanted.get(name) ?? wanted
      this.#wanted.delete(name)
      this.#wanted.set(name, again)
      return false
    }
  }

  async #attemptTurn(held: HeldPartition): Promise<boolean> {
    try {
      const isMore = await this.#turn(held)
      if (held.isIdle || !this.#isOurs(held.partition)) await this.#release(held)
      return isMore
    } catch (error) {
      if (!(error instanceof Superseded)) this.#logFailure(error, 'digesting usage')
      // The state in memory may be wrong, but the journal still has the entries.
      if (!(error instanceof StoreUnavailable)) this.#drop(held)
      return false
    }
  }

  async #release(held: HeldPartition): Promise<void> {
    try {
      await held.release()
    } catch (error) {
      this.#logFailure(error, 'releasing a partition of usage')
    }
    this.#drop(held)
  }

  #drop(held: HeldPartition): void {
    const name = partitionLease(held.partition)
    held.reportCounts()
    if (this.#held.get(name) === held) this.#held.delete(name)
  }

  /** Logs each kind of failure only once in a while, because every turn fails while the database cannot be reached. */
  #logFailure(err: unknown, doing: string): void {
    if (performance.now() - (this.#loggedAt.get(doing) ?? Number.NEGATIVE_INFINITY) < quietMs) return
    this.#loggedAt.set(doing, performance.now())
    this.#deps.log(
      err instanceof StoreUnavailable ? 'warn' : 'error',
      `${doing} failed; it will be retried`,
      { err },
    )
  }
}

const tickMs = 250
const checkIntervalMs = 1000
const countIntervalMs = 5000
const beatsPerLease = 4
const quietMs = 30_000
const takenAtOnce = 8
/** Partitions of one organisation that are worked on at a time. */
const maxAtWork = 2

/** A partition that this node should hold and does not hold yet. */
interface WantedPartition {
  readonly partition: Partition
  readonly backlogBytes: number
}
