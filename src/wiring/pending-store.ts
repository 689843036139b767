import type { Settings } from '../config.ts'
import type { StoreAddress } from '../store/open.ts'
import { type Store, StoreUnavailable } from '../store/port.ts'

/** Placeholder for the store before it is open; every use before that fails with StoreUnavailable. */
export class PendingStore implements Store {
  #store: Store | undefined

  open(store: Store): void {
    this.#store = store
  }

  get #opened(): Store {
    if (this.#store === undefined) throw new StoreUnavailable('The database is not open yet')
    return this.#store
  }

  get keys(): Store['keys'] {
    return this.#opened.keys
  }

  get sessions(): Store['sessions'] {
    return this.#opened.sessions
  }

  get marketplace(): Store['marketplace'] {
    return this.#opened.marketplace
  }

  get changes(): Store['changes'] {
    return this.#opened.changes
  }

  get leases(): Store['leases'] {
    return this.#opened.leases
  }

  get prices(): Store['prices'] {
    return this.#opened.prices
  }

  get usage(): Store['usage'] {
    return this.#opened.usage
  }

  get settings(): Store['settings'] {
    return this.#opened.settings
  }

  get models(): Store['models'] {
    return this.#opened.models
  }

  get answers(): Store['answers'] {
    return this.#opened.answers
  }

  get recommendations(): Store['recommendations'] {
    return this.#opened.recommendations
  }

  async ping(): Promise<void> {
    await this.#opened.ping()
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }
}

/** Where the settings place the database. */
export const storeAddress = (settings: Settings): StoreAddress => ({
  dataFolder: settings.data,
  databaseUrl: settings.databaseUrl,
  readDatabaseUrl: settings.databaseUrl === '' ? '' : settings.readDatabaseUrl,
  poolSize: settings.databaseConnections,
})
