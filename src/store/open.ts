import { setTimeout as pause } from 'node:timers/promises'
import { type Store, StoreUnavailable } from './port.ts'
import { openSqliteStore } from './sqlite/store.ts'

/** PostgreSQL where an address is given, else the embedded database in the data folder. */
export async function openStore(at: StoreAddress): Promise<Store> {
  if ((at.databaseUrl ?? '') === '') return openSqliteStore({ folder: at.dataFolder })
  const { openPostgresStore } = await import('./postgres/store.ts')
  const { databaseUrl: url = '', readDatabaseUrl: readUrl = '', poolSize } = at
  return openPostgresStore({
    url,
    ...(readUrl === '' ? {} : { readUrl }),
    ...(poolSize === undefined ? {} : { poolSize }),
  })
}

/** An address that is '' counts as absent. */
export interface StoreAddress {
  readonly dataFolder: string
  readonly databaseUrl?: string
  /** A replica of it, for reading usage. */
  readonly readDatabaseUrl?: string
  /** Connections to each of them at most. */
  readonly poolSize?: number
}

/** Retries until the database is available; any other failure ends it. Waits 0.2 s, then longer, up to 3 s. */
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
