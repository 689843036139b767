import type { SessionRecord } from '../../domain/key.ts'
import type { SessionStore } from '../port.ts'
import { checkSession, isStorable } from '../storable.ts'
import { columnNames, recordColumns, type SqlDatabase, valueMarks } from './sql.ts'

const members = ['tokenHash', 'keyId', 'createdAt', 'expiresAt'] as const satisfies (keyof SessionRecord)[]

export const sessionTable = (db: SqlDatabase): SessionStore => ({
  all: () => db.rows(`SELECT ${recordColumns(members)} FROM sessions ORDER BY created_at, token_hash`),
  insert: (session, maxPerKey) =>
    db.inTransaction(async (sql) => {
      checkSession(session)
      await sql.run('DELETE FROM sessions WHERE expires_at <= $1', [session.createdAt])
      await sql.run(
        `DELETE FROM sessions WHERE key_id = $1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, token_hash LIMIT $2)`,
        [session.keyId, maxPerKey - 1],
      )
      const values = members.map((member) => session[member])
      await sql.run(`INSERT INTO sessions (${columnNames(members)}) VALUES ${valueMarks([values])}`, values)
      await sql.increment('sessions')
    }, 'sessions'),
  remove: (tokenHash) =>
    db.inTransaction(async (sql) => {
      if (!isStorable(tokenHash)) return false
      if ((await sql.run('DELETE FROM sessions WHERE token_hash = $1', [tokenHash])) === 0) return false
      await sql.increment('sessions')
      return true
    }, 'sessions'),
})
