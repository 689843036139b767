import type { Clock } from '../domain/clock.ts'
import { type Store, StoreUnavailable } from '../store/port.ts'
import { type Partition, Superseded } from '../usage/port.ts'
import { SampleOutcomeCounts } from './digest-counts.ts'
import { Digester } from './digester.ts'
import { partitionLease } from './partition-lease.ts'

export interface IngestDeps {
  readonly store: Pick<Store, 'usage' | 'leases'>
  /** Who we are to the leases. */
  readonly holder: string
  readonly now: Clock
  log(level: 'info' | 'warn' | 'error', message: string, more?: Record<string, unknown>): void
}

export const pushSource = 'push'

/** Digests pushed samples. One node at a time digests an organisation, whichever node received them. */
export class DigestScheduler {
  readonly totals = new SampleOutcomeCounts()
  readonly #deps: IngestDeps
  readonly #held = new Map<string, Held>()
  readonly #wanted = new Set<string>()
  readonly #explainedAt = new Map<string, number>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #stopping = false
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#running = this.#run()
  }

  /** So much more of the organisation is in the journal. */
  wake(organisation: string, bytes: number): void {
    const held = this.#held.get(organisation)
    if (held === undefined) this.#wanted.add(organisation)
    else held.backlogBytes += bytes
    this.#wake()
  }

  /** What waits in the journal, as far as it is known here; 0 where another node digests. */
  backlogBytesOf(organisation: string): number {
    return this.#held.get(organisation)?.backlogBytes ?? 0
  }

  get subjects(): number {
    let subjects = 0
    for (const { digester } of this.#held.values()) subjects += digester.writer.accumulator.subjects.size
    return subjects
  }

  /** How many are in memory here; 0 where another node digests. */
  subjectsOf(organisation: string): number {
    return this.#held.get(organisation)?.digester.writer.accumulator.subjects.size ?? 0
  }

  /** Commits and releases everything that this node holds. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake()
    await this.#running
    for (const held of [...this.#held.values()]) await this.#letGo(held)
  }

  /** Organisations are worked on side by side: none waits for another's checkpoint. */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await this.#lookForWork()
      for (const organisation of [...this.#wanted]) await this.#take(organisation)
      for (const held of this.#held.values()) held.working ??= this.#turn(held)
      if (this.#stopping) break
      let timer: NodeJS.Timeout | undefined
      const tick = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, tickMs)
      })
      await Promise.race([woken, tick])
      clearTimeout(timer)
    }
    await Promise.all([...this.#held.values()].map(({ working }) => working))
  }

  async #turn(held: Held): Promise<void> {
    const more = await this.#work(held)
    held.working = undefined
    if (more) this.#wake()
  }

  /** What a node that is gone left in the journal. */
  async #lookForWork(): Promise<void> {
    if (performance.now() - this.#lookedAt < lookMs) return
    this.#lookedAt = performance.now()
    try {
      for (const { organisation, source, pending } of await this.#deps.store.usage.partitions())
        if (source === pushSource && pending && !this.#held.has(organisation)) this.#wanted.add(organisation)
    } catch (error) {
      this.#explain(error, 'looking for usage to digest')
    }
  }

  async #take(organisation: string): Promise<void> {
    const { store, holder } = this.#deps
    const partition = { organisation, source: pushSource }
    try {
      if (await store.leases.acquire(partitionLease(partition), holder, leaseMs)) {
        const digester = await Digester.open(store.usage, partition)
        const nowMs = performance.now()
        this.#held.set(organisation, {
          partition,
          digester,
          leasedAt: nowMs,
          busyAt: nowMs,
          committedAt: 0,
          pauseMs: 0,
          working: undefined,
          backlogBytes: 0,
        })
      }
      this.#wanted.delete(organisation)
    } catch (error) {
      this.#explain(error, 'taking usage over')
    }
  }

  /** True where more waits. */
  async #work(held: Held): Promise<boolean> {
    const { now } = this.#deps
    const { digester } = held
    try {
      await this.#renew(held)
      const bytes = await digester.digest()
      const more = bytes > 0
      held.backlogBytes = Math.max(0, held.backlogBytes - bytes)
      if (more) held.busyAt = performance.now()
      if (digester.hasChanges && performance.now() - held.committedAt >= held.pauseMs)
        await this.#commit(held)
      if (!more && !digester.hasChanges) await digester.compact(now())
      if (performance.now() - held.busyAt > idleMs) await this.#letGo(held)
      return more
    } catch (error) {
      if (error instanceof Superseded) this.#drop(held)
      else this.#explain(error, 'digesting usage')
      // Whatever is wrong with the entries in memory, the journal still has them.
      if (!(error instanceof StoreUnavailable)) this.#drop(held)
      return false
    }
  }

  async #renew(held: Held): Promise<void> {
    const { store, holder } = this.#deps
    if (performance.now() - held.leasedAt <= leaseMs / 3) return
    held.leasedAt = performance.now()
    if (!(await store.leases.acquire(partitionLease(held.partition), holder, leaseMs)))
      throw new Superseded('the lease is lost')
  }

  /** The longer a commit takes, the rarer it is: at most a fiftieth of the time. */
  async #commit(held: Held): Promise<void> {
    const startedAt = performance.now()
    await held.digester.commit(() => this.#renew(held))
    held.committedAt = performance.now()
    held.pauseMs = Math.min(longestPauseMs, Math.max(tickMs, 50 * (held.committedAt - startedAt)))
    this.totals.take(held.digester)
  }

  async #letGo(held: Held): Promise<void> {
    const { store, holder } = this.#deps
    try {
      if (held.digester.hasChanges) await this.#commit(held)
      await store.leases.release(partitionLease(held.partition), holder)
    } catch (error) {
      this.#explain(error, 'letting usage go')
    }
    this.#drop(held)
  }

  #drop(held: Held): void {
    this.totals.take(held.digester)
    if (this.#held.get(held.partition.organisation) === held) this.#held.delete(held.partition.organisation)
  }

  /** Once in a while: while the database is away every turn fails. */
  #explain(err: unknown, doing: string): void {
    if (performance.now() - (this.#explainedAt.get(doing) ?? Number.NEGATIVE_INFINITY) < quietMs) return
    this.#explainedAt.set(doing, performance.now())
    this.#deps.log(
      err instanceof StoreUnavailable ? 'warn' : 'error',
      `${doing} failed; it will be retried`,
      { err },
    )
  }
}

interface Held {
  readonly partition: Partition
  readonly digester: Digester
  leasedAt: number
  busyAt: number
  committedAt: number
  pauseMs: number
  /** Its turn, while it has one. */
  working: Promise<void> | undefined
  /** Bytes of entries that arrived while this node held the lease; entries received by other nodes are not counted. */
  backlogBytes: number
}

const tickMs = 1000
const lookMs = 5000
const leaseMs = 20_000
const idleMs = 15 * 60_000
const longestPauseMs = 60_000
const quietMs = 30_000
