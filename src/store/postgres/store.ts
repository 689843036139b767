import type { Pool } from 'pg'
import { type Store, StoreUnavailable } from '../port.ts'
import { postgresChanges } from './changes.ts'
import { clientConfig, openPool, type PostgresAddress, rowsOf } from './database.ts'
import { isMisconfiguration } from './errors.ts'
import { postgresKeys } from './keys.ts'
import { postgresLeases } from './leases.ts'
import { postgresListener } from './listener.ts'
import { postgresMarketplace } from './marketplace.ts'
import { migrate } from './migrations.ts'

/** StoreUnavailable while the server is away: try again. Any other error needs the operator. */
export async function openPostgresStore(address: PostgresAddress): Promise<Store> {
  if (!/^postgres(ql)?:\/\//.test(address.url)) {
    throw new Error('The database address does not begin with postgres:// or postgresql://')
  }
  const pool = openPool(address)
  try {
    await checkEncoding(pool)
    await migrate(pool)
  } catch (error) {
    await pool.end()
    if (error instanceof StoreUnavailable && isMisconfiguration(error.cause)) throw new Error(error.message)
    throw error
  }
  const listener = postgresListener(clientConfig(address))
  let closing: Promise<void> | undefined
  return {
    keys: postgresKeys(pool),
    marketplace: postgresMarketplace(pool),
    changes: postgresChanges(pool, listener),
    leases: postgresLeases(pool),
    async ping() {
      await rowsOf(pool, 'SELECT 1')
    },
    async close() {
      closing ??= Promise.all([pool.end(), listener.close()]).then(() => undefined)
      await closing
    },
  }
}

async function checkEncoding(pool: Pool): Promise<void> {
  const rows = await rowsOf<{ encoding: string }>(
    pool,
    "SELECT current_setting('server_encoding') AS encoding",
  )
  if (rows[0]?.encoding !== 'UTF8') {
    throw new Error(`PostgreSQL: the database must have the encoding UTF8, not ${rows[0]?.encoding}`)
  }
}
