import type { DatabaseSync } from 'node:sqlite'
import type { SessionStore } from '../port.ts'
import { type SessionRow, sessionColumns, sessionFromRow, sessionValues } from '../rows.ts'
import { checkSession, isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction } from './database.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteSessions(db: DatabaseSync, changes: SqliteChanges): Synchronous<SessionStore> {
  const all = db.prepare(`SELECT ${sessionColumns} FROM sessions ORDER BY created_at, token_hash`)
  const insert = db.prepare(`INSERT INTO sessions (${sessionColumns}) VALUES (?, ?, ?, ?)`)
  const removeExpired = db.prepare('DELETE FROM sessions WHERE expires_at <= ?')
  const removeOldest = db.prepare(
    `DELETE FROM sessions WHERE token_hash IN (
       SELECT token_hash FROM sessions WHERE key_id = ? ORDER BY created_at DESC, token_hash LIMIT -1 OFFSET ?)`,
  )
  const remove = db.prepare('DELETE FROM sessions WHERE token_hash = ?')
  return {
    all: () => (all.all() as unknown as SessionRow[]).map(sessionFromRow),
    insert: (session, maxPerKey) =>
      inTransaction(db, () => {
        checkSession(session)
        removeExpired.run(session.createdAt)
        removeOldest.run(session.keyId, maxPerKey - 1)
        insert.run(...sessionValues(session))
        changes.increment('sessions')
      }),
    remove: (tokenHash) =>
      inTransaction(db, () => {
        if (!isStorable(tokenHash) || remove.run(tokenHash).changes === 0) return false
        changes.increment('sessions')
        return true
      }),
  }
}
