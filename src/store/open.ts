import type { Store } from './port.ts'
import { openSqliteStore } from './sqlite/store.ts'

/** PostgreSQL where an address is given, else the embedded database in the data folder. */
export async function openStore(at: { databaseUrl?: string; dataFolder: string }): Promise<Store> {
  if (at.databaseUrl === undefined) return openSqliteStore({ folder: at.dataFolder })
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore({ url: at.databaseUrl })
}
