import { AlreadyCollecting, type CollectionSettings, collectUsage } from './collect-usage.ts'
import type { IngestDeps } from './ingest-deps.ts'

export type { CollectionSettings }

/** Collections that are made over and over; several nodes share them, each is made by one at a time. */
export class ScheduledCollections {
  readonly #deps: IngestDeps
  readonly #list: readonly CollectionSettings[]
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: IngestDeps, list: readonly CollectionSettings[]) {
    this.#deps = deps
    this.#list = list
  }

  /** Never rejects; does nothing while the last run goes on. */
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
        const { samples, subjects } = await collectUsage(this.#deps, settings, this.#stopping.signal)
        log('info', 'usage was collected', { cluster, samples, subjects })
      } catch (err) {
        if (this.#stopping.signal.aborted) return
        if (!(err instanceof AlreadyCollecting))
          log('warn', 'collecting usage failed; it will be retried', { cluster, err })
      }
    }
  }
}
