import { type Store, StoreUnavailable } from '../port.ts'
import { postgresChanges } from './changes.ts'
import { clientConfig, type Database, openDatabase, type PostgresAddress } from './database.ts'
import { isMisconfiguration } from './errors.ts'
import { postgresKeys } from './keys.ts'
import { postgresLeases } from './leases.ts'
import { postgresListener } from './listener.ts'
import { postgresMarketplace } from './marketplace.ts'
import { migrate } from './migrations.ts'
import { postgresModels } from './models.ts'
import { postgresPrices } from './prices.ts'
import { postgresSettings } from './settings.ts'
import { postgresUsage } from './usage.ts'

/** StoreUnavailable while the server is away: try again. Any other error needs the operator. */
export async function openPostgresStore(address: PostgresAddress): Promise<Store> {
  if (!/^postgres(ql)?:\/\//.test(address.url)) {
    throw new Error('The database address does not begin with postgres:// or postgresql://')
  }
  const db = openDatabase(address)
  try {
    await checkEncoding(db)
    await migrate(db)
  } catch (error) {
    await db.close()
    if (error instanceof StoreUnavailable && isMisconfiguration(error.cause)) throw new Error(error.message)
    throw error
  }
  const listener = postgresListener(clientConfig(address))
  return {
    keys: postgresKeys(db),
    marketplace: postgresMarketplace(db),
    changes: postgresChanges(db, listener),
    leases: postgresLeases(db),
    prices: postgresPrices(db),
    usage: postgresUsage(db),
    settings: postgresSettings(db),
    models: postgresModels(db),
    async ping() {
      await db.rows('SELECT 1')
    },
    async close() {
      await Promise.all([db.close(), listener.close()])
    },
  }
}

async function checkEncoding(db: Database): Promise<void> {
  const rows = await db.rows<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding")
  if (rows[0]?.encoding !== 'UTF8') {
    throw new Error(`PostgreSQL: the database must have the encoding UTF8, not ${rows[0]?.encoding}`)
  }
}
