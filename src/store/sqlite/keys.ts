import type { DatabaseSync } from 'node:sqlite'
import type { KeyRecord } from '../../domain/key.ts'
import type { KeyStore } from '../port.ts'
import { type KeyRow, keyColumns, keyFromRow, keyValues } from '../rows.ts'
import { checkKey, checkTime, isStorable } from '../storable.ts'
import type { SqliteChanges } from './changes.ts'
import { inTransaction } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteKeys(db: DatabaseSync, changes: SqliteChanges): Synchronous<KeyStore> {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const all = db.prepare(`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, id`)
  const one = db.prepare(`SELECT ${keyColumns} FROM api_keys WHERE id = ?`)
  const any = db.prepare('SELECT 1 FROM api_keys LIMIT 1')
  const insert = db.prepare(`INSERT INTO api_keys (${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const replace = db.prepare(
    `UPDATE api_keys SET replaced_by = ?1, expires_at = min(coalesce(expires_at, ?2), ?2)
     WHERE id = ?3 AND revoked_at IS NULL AND replaced_by IS NULL`,
  )
  const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const touch = db.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, ?1), ?1) WHERE id = ?2',
  )

  const add = (key: KeyRecord) => {
    checkKey(key)
    ensureOrganisation(key.organisation)
    insert.run(...keyValues(key))
    changes.increment('keys')
  }
  return {
    all: () => (all.all() as unknown as KeyRow[]).map(keyFromRow),
    insert: (key) => inTransaction(db, () => add(key)),
    insertFirst: (key) =>
      inTransaction(db, () => {
        if (any.get() !== undefined) return false
        add(key)
        return true
      }),
    rotate: (oldId, replacement, oldExpiresAt) =>
      inTransaction(db, () => {
        checkTime(oldExpiresAt)
        checkKey(replacement)
        if (!isStorable(oldId)) return false
        if (replace.run(replacement.id, oldExpiresAt, oldId).changes === 0) return false
        add(replacement)
        return true
      }),
    revoke: (id, at) =>
      inTransaction(db, () => {
        checkTime(at)
        if (!isStorable(id)) return undefined
        if (revoke.run(at, id).changes !== 0) changes.increment('keys')
        const row = one.get(id) as unknown as KeyRow | undefined
        return row && keyFromRow(row)
      }),
    touch: (lastUsedAt) =>
      inTransaction(db, () => {
        for (const [id, at] of lastUsedAt) {
          checkTime(at)
          if (isStorable(id)) touch.run(at, id)
        }
      }),
  }
}
