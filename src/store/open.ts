import type { Store } from './port.ts'
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
