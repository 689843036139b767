import { type Store, StoreUnavailable, StoreUnusable } from '../port.ts'
import { sharedTables } from '../tables/tables.ts'
import { clientConfig, openDatabase, type PostgresAddress } from './database.ts'
import { postgresDecisions } from './decisions.ts'
import { isMisconfiguration, reasonOf } from './errors.ts'
import { postgresListener } from './listener.ts'
import { migrate, type OnMigration } from './migrations.ts'
import { readFromReplica } from './replica.ts'
import { checkAddress, checkOwner, checkServer } from './server-check.ts'
import { postgresChanges, postgresSql } from './sql-database.ts'
import { postgresUsage } from './usage/usage.ts'

export interface StoreReports {
  readonly onReplicaError?: (error: StoreUnavailable) => void
  readonly onMigration?: OnMigration
}

/** Throws StoreUnavailable if the caller can retry, StoreUnusable if the operator has to change something. */
export async function openPostgresStore(
  address: PostgresAddress & { readonly readUrl?: string },
  { onReplicaError, onMigration }: StoreReports = {},
): Promise<Store> {
  for (const url of [address.url, address.readUrl ?? address.url]) checkAddress(url)
  const db = openDatabase(address)
  try {
    await checkServer(db)
    await migrate(db, undefined, onMigration)
    await checkOwner(db)
  } catch (error) {
    await db.close()
    const cause = error instanceof StoreUnavailable ? error.cause : error
    if (isMisconfiguration(cause)) throw new StoreUnusable(`PostgreSQL: ${reasonOf(cause)}`, { cause })
    throw error
  }
  const listener = postgresListener(clientConfig(address))
  const replica =
    address.readUrl === undefined
      ? undefined
      : readFromReplica(
          db,
          openDatabase({ ...address, url: address.readUrl }),
          onReplicaError === undefined ? {} : { onError: onReplicaError },
        )
  return {
    ...sharedTables(postgresSql(db)),
    changes: postgresChanges(db, listener),
    usage: postgresUsage(db, replica),
    decisions: postgresDecisions(db),
    async ping() {
      await db.rows('SELECT 1')
    },
    async close() {
      await Promise.all([replica?.close().then(() => db.close()) ?? db.close(), listener.close()])
    },
  }
}
