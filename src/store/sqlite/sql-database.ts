import type { DatabaseSync } from 'node:sqlite'
import type { Sql, SqlDatabase } from '../tables/sql.ts'
import type { SqliteChanges } from './changes.ts'
import { nowSql } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'

/**
 * The database as the tables use it that are the same in both databases. Statements are done at once, so a transaction
 * ends before the thread receives its next call.
 */
export function sqliteSql(db: DatabaseSync, changes: SqliteChanges): SqlDatabase {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const prepare = (sql: string) => db.prepare(sql.replace(/\$(\d+)/g, '?$1'))
  const rows: Sql['rows'] = async (sql, values = []) => prepare(sql).all(...values) as never[]
  return {
    now: nowSql,
    rows,
    async inTransaction(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work({
          rows,
          run: async (sql, values = []) => Number(prepare(sql).run(...values).changes),
          ensureOrganisation: async (organisation) => ensureOrganisation(organisation),
          increment: async (topic) => changes.increment(topic),
        })
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
  }
}
