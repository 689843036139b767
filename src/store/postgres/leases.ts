import type { Leases } from '../port.ts'
import { afterPrefix } from '../storable.ts'
import { type Database, nowSql } from './database.ts'

export function postgresLeases(db: Database): Leases {
  const acquireAll: Leases['acquireAll'] = (names, holder, ttlMs) =>
    db.inTransaction(async (client) => {
      // Always in the same order, so that two nodes cannot deadlock.
      const { rows } = await client.query<{ name: string }>(
        `INSERT INTO leases (name, holder, acquired_at, ttl_ms)
         SELECT name, $2, ${nowSql}, $3 FROM unnest($1::text[]) AS sent (name) ORDER BY name
         ON CONFLICT (name) DO UPDATE SET
           holder = excluded.holder, acquired_at = excluded.acquired_at, ttl_ms = excluded.ttl_ms
         WHERE leases.holder = excluded.holder
           OR leases.acquired_at + leases.ttl_ms <= excluded.acquired_at
           OR leases.acquired_at - leases.ttl_ms > excluded.acquired_at
         RETURNING name`,
        [[...new Set(names)], holder, Math.ceil(ttlMs)],
      )
      return rows.map(({ name }) => name)
    })
  return {
    acquire: async (name, holder, ttlMs) => (await acquireAll([name], holder, ttlMs)).length > 0,
    acquireAll,
    async held(prefix) {
      const rows = await db.rows<{ name: string }>(
        `SELECT name FROM leases
         WHERE name >= $1 AND name < $2 AND acquired_at + ttl_ms > ${nowSql} AND acquired_at - ttl_ms <= ${nowSql}
         ORDER BY name`,
        [prefix, afterPrefix(prefix)],
      )
      return rows.map(({ name }) => name)
    },
    release: (name, holder) =>
      db.inTransaction(async (client) => {
        await client.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
      }),
  }
}
