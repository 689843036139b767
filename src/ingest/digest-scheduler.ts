import { StoreUnavailable } from '../store/port.ts'
import { Superseded } from '../usage/port.ts'
import { HeldPartition } from './held-partition.ts'
import { type IngestDeps, pushSource } from './ingest-deps.ts'
import { SampleOutcomeCounts } from './ingest-stats.ts'

/** Digests pushed samples. One node at a time digests an organisation, whichever node received them. */
export class DigestScheduler {
  readonly totals = new SampleOutcomeCounts()
  readonly #deps: IngestDeps
  readonly #turn: (partition: HeldPartition) => Promise<boolean>
  readonly #held = new Map<string, HeldPartition>()
  readonly #working = new Map<HeldPartition, Promise<void>>()
  readonly #wanted = new Set<string>()
  readonly #explainedAt = new Map<string, number>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #stopping = false
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined

  /** `turn` does a piece of a partition's work; true where more waits. */
  constructor(deps: IngestDeps, turn: (partition: HeldPartition) => Promise<boolean>) {
    this.#deps = deps
    this.#turn = turn
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
    for (const held of this.#held.values()) subjects += held.subjects
    return subjects
  }

  /** How many are in memory here; 0 where another node digests. */
  subjectsOf(organisation: string): number {
    return this.#held.get(organisation)?.subjects ?? 0
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
      for (const held of this.#held.values()) this.#working.getOrInsertComputed(held, () => this.#work(held))
      if (this.#stopping) break
      let timer: NodeJS.Timeout | undefined
      const tick = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, tickMs)
      })
      await Promise.race([woken, tick])
      clearTimeout(timer)
    }
    await Promise.all(this.#working.values())
  }

  async #work(held: HeldPartition): Promise<void> {
    const isMore = await this.#attemptTurn(held)
    this.#working.delete(held)
    if (isMore) this.#wake()
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
    const partition = { organisation, source: pushSource }
    try {
      const held = await HeldPartition.take(this.#deps, partition, this.totals)
      if (held !== undefined) this.#held.set(organisation, held)
      this.#wanted.delete(organisation)
    } catch (error) {
      this.#explain(error, 'taking usage over')
    }
  }

  async #attemptTurn(held: HeldPartition): Promise<boolean> {
    try {
      const isMore = await this.#turn(held)
      if (held.isIdle) await this.#letGo(held)
      return isMore
    } catch (error) {
      if (error instanceof Superseded) this.#drop(held)
      else this.#explain(error, 'digesting usage')
      // Whatever is wrong with the entries in memory, the journal still has them.
      if (!(error instanceof StoreUnavailable)) this.#drop(held)
      return false
    }
  }

  async #letGo(held: HeldPartition): Promise<void> {
    try {
      await held.release()
    } catch (error) {
      this.#explain(error, 'letting usage go')
    }
    this.#drop(held)
  }

  #drop(held: HeldPartition): void {
    const { organisation } = held.partition
    held.reportCounts()
    if (this.#held.get(organisation) === held) this.#held.delete(organisation)
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

const tickMs = 1000
const lookMs = 5000
const quietMs = 30_000
