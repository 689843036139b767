import type { KeyRecord, Scope, SessionRecord } from '../../domain/key.ts'
import type { KeyStore, SessionStore } from '../port.ts'
import { checkKey, checkSession, checkTime, isStorable } from '../storable.ts'
import {
  batchesOf,
  columnNames,
  recordColumns,
  type SqlDatabase,
  type Transaction,
  valueMarks,
} from './sql.ts'

const members = [
  'id',
  'organisation',
  'name',
  'scopes',
  'secretHash',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'replacedBy',
] as const satisfies readonly (keyof KeyRecord)[]

/** Scopes are separated by spaces. */
type KeyRow = Omit<KeyRecord, 'scopes'> & { readonly scopes: string }

const keyFromRow = (row: KeyRow): KeyRecord => ({
  ...row,
  scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]),
})

export function keyTable(db: SqlDatabase): KeyStore {
  const inTurn = <Result>(work: (sql: Transaction) => Promise<Result>) => db.inTransaction(work, 'keys')
  return {
    async all() {
      const rows = await db.rows<KeyRow>(
        `SELECT ${recordColumns(members)} FROM api_keys ORDER BY created_at, id`,
      )
      return rows.map(keyFromRow)
    },
    insert: (key) => inTurn((sql) => add(sql, key)),
    insertFirst: (key) =>
      inTurn(async (sql) => {
        if ((await sql.rows('SELECT 1 FROM api_keys LIMIT 1')).length > 0) return false
        await add(sql, key)
        return true
      }),
    rotate: (oldId, replacement, oldExpiresAt) =>
      inTurn(async (sql) => {
        checkTime(oldExpiresAt)
        checkKey(replacement)
        if (!isStorable(oldId)) return false
        const replaced = await sql.run(
          `UPDATE api_keys SET replaced_by = $1, expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END
           WHERE id = $3 AND revoked_at IS NULL AND replaced_by IS NULL`,
          [replacement.id, oldExpiresAt, oldId],
        )
        if (replaced === 0) return false
        await add(sql, replacement)
        return true
      }),
    revoke: (id, at) =>
      inTurn(async (sql) => {
        checkTime(at)
        if (!isStorable(id)) return undefined
        const revoked = await sql.run(
          'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
          [at, id],
        )
        if (revoked > 0) await sql.increment('keys')
        const [row] = await sql.rows<KeyRow>(`SELECT ${recordColumns(members)} FROM api_keys WHERE id = $1`, [
          id,
        ])
        return row && keyFromRow(row)
      }),
    touch: (lastUsedAt) =>
      inTurn(async (sql) => {
        const uses = [...lastUsedAt].filter(([id]) => isStorable(id))
        for (const [, at] of uses) checkTime(at)
        for (const some of batchesOf(uses))
          await sql.run(
            `WITH used (id, at) AS (VALUES ${valueMarks(some, 0, ['TEXT', 'BIGINT'])})
             UPDATE api_keys SET last_used_at = used.at FROM used
             WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
            some.flat(),
          )
      }),
  }
}

async function add(sql: Transaction, key: KeyRecord): Promise<void> {
  checkKey(key)
  await sql.ensureOrganisation(key.organisation)
  const row: KeyRow = { ...key, scopes: key.scopes.join(' ') }
  const values = members.map((member) => row[member])
  await sql.run(`INSERT INTO api_keys (${columnNames(members)}) VALUES ${valueMarks([values])}`, values)
  await sql.increment('keys')
}

const sessionMembers = [
  'tokenHash',
  'keyId',
  'createdAt',
  'expiresAt',
] as const satisfies (keyof SessionRecord)[]

export const sessionTable = (db: SqlDatabase): SessionStore => ({
  all: () => db.rows(`SELECT ${recordColumns(sessionMembers)} FROM sessions ORDER BY created_at, token_hash`),
  insert: (session, maxPerKey) =>
    db.inTransaction(async (sql) => {
      checkSession(session)
      await sql.run('DELETE FROM sessions WHERE expires_at <= $1', [session.createdAt])
      await sql.run(
        `DELETE FROM sessions WHERE key_id = $1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, token_hash LIMIT $2)`,
        [session.keyId, maxPerKey - 1],
      )
      const values = sessionMembers.map((member) => session[member])
      await sql.run(
        `INSERT INTO sessions (${columnNames(sessionMembers)}) VALUES ${valueMarks([values])}`,
        values,
      )
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
