import type { SessionStore } from '../port.ts'
import { type SessionRow, sessionColumns, sessionFromRow, sessionValues } from '../rows.ts'
import { checkSession, isStorable } from '../storable.ts'
import { incrementTopic, lockTopic } from './changes.ts'
import type { Database } from './database.ts'

export function postgresSessions(db: Database): SessionStore {
  return {
    async all() {
      const rows = await db.rows<SessionRow>(
        `SELECT ${sessionColumns} FROM sessions ORDER BY created_at, token_hash`,
      )
      return rows.map(sessionFromRow)
    },
    insert: (session, maxPerKey) =>
      db.inTransaction(async (client) => {
        checkSession(session)
        await lockTopic(client, 'sessions')
        await client.query('DELETE FROM sessions WHERE expires_at <= $1', [session.createdAt])
        await client.query(
          `DELETE FROM sessions WHERE token_hash IN (
             SELECT token_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, token_hash OFFSET $2)`,
          [session.keyId, maxPerKey - 1],
        )
        await client.query(
          `INSERT INTO sessions (${sessionColumns}) VALUES ($1, $2, $3, $4)`,
          sessionValues(session),
        )
        await incrementTopic(client, 'sessions')
      }),
    remove: (tokenHash) =>
      db.inTransaction(async (client) => {
        if (!isStorable(tokenHash)) return false
        await lockTopic(client, 'sessions')
        const { rowCount } = await client.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash])
        if (rowCount === 0) return false
        await incrementTopic(client, 'sessions')
        return true
      }),
  }
}
