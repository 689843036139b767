import { setTimeout as pause } from 'node:timers/promises'
import { type Store, StoreUnavailable } from './port.ts'
import type { StoreReports } from './postgres/store.ts'
import { openSqliteStore } from './sqlite/store.ts'

/** Opens PostgreSQL, which reports, if an address is given, otherwise the embedded database in the data directory. */
export async function openStore(at: StoreAddress, reports?: StoreReports): Promise<Store> {
  if ((at.databaseUrl ?? '') === '') return openSqliteStore({ directory: at.dataDirectory })
  const { openPostgresStore } = await import('./postgres/store.ts')
  const { databaseUrl: url = '', readDatabaseUrl: readUrl = '', poolSize } = at
  const address = {
    url,
    ...(readUrl === '' ? {} : { readUrl }),
    ...(poolSize === undefined ? {} : { poolSize }),
  }
  return openPostgresStore(address, reports)
}

/** An empty address counts as absent. */
export interface StoreAddress {
  readonly dataDirectory: string
  readonly databaseUrl?: string
  /** A replica of the database, from which usage is read. */
  readonly readDatabaseUrl?: string
  /** Maximum number of connections to each of them. */
  readonly poolSize?: number
}

/** Retries until the database is available; any other failure is thrown. Waits 0.2 s, then longer, up to 3 s. */
export async function retryUntilOpen<T>(
  attemptIt: () => Promise<T>,
  onWait: (error: StoreUnavailable, attempt: number) => void,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptIt()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      onWait(error, attempt)
      await pause(Math.min(3000, 100 * 2 ** attempt), undefined, { signal })
    }
  }
}

/** Placeholder for the store before it is open. Every use before that fails with StoreUnavailable. */
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

  get recommendations(): Store['recommendations'] {
    return this.#opened.recommendations
  }

  get decisions(): Store['decisions'] {
    return this.#opened.decisions
  }

  async ping(): Promise<void> {
    await this.#opened.ping()
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }
}
