import type { DatabaseSync } from 'node:sqlite'
import type { Leases } from '../port.ts'
import { afterPrefix } from '../storable.ts'
import { inTransaction, nowSql } from './database.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteLeases(db: DatabaseSync): Synchronous<Leases> {
  const acquire = db.prepare(
    `INSERT INTO leases (name, holder, acquired_at, ttl_ms) VALUES (?, ?, ${nowSql}, ?)
     ON CONFLICT (name) DO UPDATE SET
       holder = excluded.holder, acquired_at = excluded.acquired_at, ttl_ms = excluded.ttl_ms
     WHERE leases.holder = excluded.holder
       OR leases.acquired_at + leases.ttl_ms <= excluded.acquired_at
       OR leases.acquired_at - leases.ttl_ms > excluded.acquired_at`,
  )
  const held = db.prepare(
    `SELECT name FROM leases
     WHERE name >= ? AND name < ? AND acquired_at + ttl_ms > ${nowSql} AND acquired_at - ttl_ms <= ${nowSql} ORDER BY name`,
  )
  const release = db.prepare('DELETE FROM leases WHERE name = ? AND holder = ?')
  return {
    acquire: (name, holder, ttlMs) =>
      inTransaction(db, () => acquire.run(name, holder, Math.ceil(ttlMs)).changes !== 0),
    acquireAll: (names, holder, ttlMs) =>
      inTransaction(db, () =>
        names.filter((name) => acquire.run(name, holder, Math.ceil(ttlMs)).changes !== 0),
      ),
    held: (prefix) => held.all(prefix, afterPrefix(prefix)).map(({ name }) => String(name)),
    release: (name, holder) => inTransaction(db, () => void release.run(name, holder)),
  }
}
