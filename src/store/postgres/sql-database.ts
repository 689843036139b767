import type { PoolClient } from 'pg'
import type { ChangeFeed } from '../port.ts'
import { checkText } from '../storable.ts'
import type { SqlDatabase } from '../tables/sql.ts'
import { type Database, ensureOrganisation, nowSql } from './database.ts'
import { channel, type Listener } from './listener.ts'

export const postgresSql = (db: Database): SqlDatabase => ({
  now: nowSql,
  rows: (sql, values) => db.rows(sql, values) as Promise<never>,
  inTransaction: (work, topic) =>
    db.inTransaction(async (client) => {
      if (topic !== undefined) {
        checkText(topic)
        await lockTopic(client, topic)
      }
      return work({
        rows: async (sql, values = []) => (await client.query(sql, [...values])).rows,
        run: async (sql, values = []) => (await client.query(sql, [...values])).rowCount ?? 0,
        ensureOrganisation: (organisation) => ensureOrganisation(client, organisation),
        increment: (changed) => incrementTopic(client, changed),
      })
    }),
})

export function postgresChanges(db: Database, listener: Listener): ChangeFeed {
  return {
    async versions() {
      const rows = await db.rows<{ topic: string; version: number }>('SELECT topic, version FROM changes')
      return new Map(rows.map((row) => [row.topic, row.version]))
    },
    subscribe: listener.subscribe,
  }
}

/**
 * Must be the first statement of a transaction. Writers of one topic take turns, so that versions grow in the order of
 * commits and no two writers can deadlock on each other's rows.
 */
async function lockTopic(client: PoolClient, topic: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [topicLocks, topic])
}

/** Increments the version of the topic inside a transaction. Listeners are notified at the commit. */
async function incrementTopic(client: PoolClient, topic: string): Promise<void> {
  await client.query(
    `WITH incremented AS (
       INSERT INTO changes (topic, version) VALUES ($1, 1)
       ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1 RETURNING 1
     ) SELECT pg_notify('${channel}', '') FROM incremented`,
    [topic],
  )
}

/** Distinguishes our advisory locks from those of other programs in the same database: "ch" in ASCII. */
const topicLocks = 0x6368
