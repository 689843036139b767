import { setTimeout as pause } from 'node:timers/promises'
import { type Store, StoreUnavailable, storeSections } from './port.ts'
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

export type PendingStore = Store & { open(store: Store): void }

export function pendingStore(): PendingStore {
  let opened: Store | undefined
  const current = (): Store => {
    if (opened === undefined) throw new StoreUnavailable('The database is not open yet')
    return opened
  }
  const pending = {
    open(store: Store) {
      opened = store
    },
    ping: async () => current().ping(),
    close: async () => opened?.close(),
  }
  for (const section of storeSections)
    Object.defineProperty(pending, section, { get: () => current()[section], enumerable: true })
  return pending as PendingStore
}
