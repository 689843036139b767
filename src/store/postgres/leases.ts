import type { Pool } from 'pg'
import type { Leases } from '../port.ts'
import { inTransaction, nowSql } from './database.ts'

export function postgresLeases(pool: Pool): Leases {
  return {
    acquire: (name, holder, ttlMs) =>
      inTransaction(pool, async (client) => {
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
      inTransaction(pool, async (client) => {
        await client.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
      }),
  }
}
