import { DatabaseSync } from 'node:sqlite'
import { checkOrganisation } from '../storable.ts'
import { sqliteCode, sqliteCodes } from './errors.ts'

export interface DatabaseFile {
  readonly file: string
  /** How long a call waits for another process's write. */
  readonly busyTimeoutMs: number
}

export function openDatabase({ file, busyTimeoutMs }: DatabaseFile): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    switchToWal(db, busyTimeoutMs)
    // FULL: a commit returns only after the log is on disk.
    db.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Takes the write lock at the start, so that nothing that was read inside can change before the commit. */
export const inTransaction = <Result>(db: DatabaseSync, work: () => Result): Result =>
  between(db, 'BEGIN IMMEDIATE', work)

/** One state of the database, whatever others write meanwhile; the file is locked once, not for each statement. */
export const inSnapshot = <Result>(db: DatabaseSync, work: () => Result): Result => between(db, 'BEGIN', work)

function between<Result>(db: DatabaseSync, begin: string, work: () => Result): Result {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Milliseconds since 1970 by the database's clock. */
export const nowSql = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** SQLite does not wait by itself if two processes switch the same new file to WAL. */
function switchToWal(db: DatabaseSync, busyTimeoutMs: number): void {
  const giveUpAt = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.busy || performance.now() > giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** The returned function creates the organisation inside a transaction, with its first key or entry. */
export function prepareEnsureOrganisation(db: DatabaseSync): (organisation: string) => void {
  const insert = db.prepare(
    `INSERT INTO organisations (id, created_at) VALUES (?, ${nowSql}) ON CONFLICT (id) DO NOTHING`,
  )
  return (organisation) => {
    checkOrganisation(organisation)
    insert.run(organisation)
  }
}

/** A port as the database thread serves it: the same methods, without promises. */
export type Synchronous<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never
}
