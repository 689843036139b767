import { checkText } from '../storable.ts'
import type { SqlDatabase } from '../tables/sql.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import { type Database, nowSql } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

/** The database as the tables use it that are the same in both databases. */
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
