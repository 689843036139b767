import type { Leases } from '../port.ts'
import { type Database, nowSql } from './database.ts'

export function postgresLeases(db: Database): Leases {
  return {
    acquire: (name, holder, ttlMs) =>
      db.inTransaction(async (client) => {
        const { rowCount } = await client.query(
          `INSERT INTO leases (name, holder, acquired_at, ttl_ms) VALUES ($1, $2, ${nowSql}, $3)
           ON CONFLICT (name) DO UPDATE SET
             holder = excluded.holder, acquired_at = excluded.acquired_at, ttl_ms = excluded.ttl_ms
           WHERE leases.holder = excluded.holder
             OR leases.acquired_at + leases.ttl_ms <= excluded.acquired_at
             OR leases.acquired_at - leases.ttl_ms > excluded.acquired_at`,
          [name, holder, Math.ceil(ttlMs)],
        )
        return rowCount !== 0
      }),
    release: (name, holder) =>
      db.inTransaction(async (client) => {
        await client.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
      }),
  }
}
