import { partitionLease } from '../usage/shard.ts'
import {
  AlreadyCollecting,
  type CollectionSettings,
  collectionPartition,
  collectUsage,
  lagMs,
} from './collect-usage.ts'
import type { IngestDeps } from './ingest-deps.ts'

export type { CollectionSettings }

/** One node at a time makes each collection; one that another node has just made is skipped until the next time. */
export class ScheduledCollections {
  readonly #deps: IngestDeps
  readonly #list: readonly CollectionSettings[]
  readonly #everyMs: number
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: IngestDeps, list: readonly CollectionSettings[], parts: number, everyMs: number) {
    this.#deps = deps
    this.#everyMs = everyMs
    this.#list = list.flatMap((settings) =>
      parts === 1
        ? [settings]
        : Array.from({ length: parts }, (_, index) => ({
            ...settings,
            part: { number: index + 1, count: parts },
          })),
    )
  }

  /** Never rejects. Returns the run in progress if there is one. */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'))
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (const settings of this.#list) {
      const { log } = this.#deps
      const { cluster } = settings
      try {
        if (await this.#isJustDone(settings)) continue
        const { samples, subjects } = await collectUsage(this.#deps, settings, this.#stopping.signal)
        log('info', 'usage was collected', { cluster, samples, subjects })
      } catch (err) {
        if (this.#stopping.signal.aborted) return
        if (!(err instanceof AlreadyCollecting))
          log('warn', 'collecting usage failed; it will be retried', { cluster, err })
      }
    }
  }

  async #isJustDone(settings: CollectionSettings): Promise<boolean> {
    const lease = partitionLease(collectionPartition(settings))
    const partitions = await this.#deps.store.usage.partitions()
    const known = partitions.find((partition) => partitionLease(partition) === lease)
    return known !== undefined && Number(known.resume) > this.#deps.now() - lagMs - this.#everyMs / 2
  }
}
