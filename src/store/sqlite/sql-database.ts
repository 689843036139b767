import type { DatabaseSync } from 'node:sqlite'
import type { Sql, SqlDatabase } from '../tables/sql.ts'
import { nowSql, prepareEnsureOrganisation } from './database.ts'

/** Statements are done at once, so a transaction ends before the thread receives its next call. */
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

interface SqliteChanges {
  versions(): Map<string, number>
  /** Increments the version of the topic inside a transaction. */
  increment(topic: string): void
  /** Returns true if any process, including this one, wrote since the last call. */
  wrote(): boolean
}

export function sqliteChanges(db: DatabaseSync): SqliteChanges {
  const all = db.prepare('SELECT topic, version FROM changes')
  const add = db.prepare(
    'INSERT INTO changes (topic, version) VALUES (?, 1) ON CONFLICT (topic) DO UPDATE SET version = version + 1',
  )
  // data_version changes when another connection commits, never by our own commits.
  const dataVersion = db.prepare('PRAGMA data_version')
  const othersVersion = () => Number(dataVersion.get()?.data_version)
  let hasIncremented = false
  let seen = othersVersion()
  return {
    versions: () => new Map(all.all().map((row) => [String(row.topic), Number(row.version)])),
    increment(topic) {
      add.run(topic)
      hasIncremented = true
    },
    wrote() {
      const version = othersVersion()
      const wrote = hasIncremented || version !== seen
      hasIncremented = false
      seen = version
      return wrote
    },
  }
}
