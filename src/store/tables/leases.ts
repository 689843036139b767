import type { Leases } from '../port.ts'
import { afterPrefix } from '../storable.ts'
import { type SqlDatabase, valueMarks } from './sql.ts'

export function leaseTable(db: SqlDatabase): Leases {
  const acquireAll: Leases['acquireAll'] = (names, holder, ttlMs) =>
    db.inTransaction(async (sql) => {
      if (names.length === 0) return []
      // Always in the same order, so that two nodes cannot deadlock.
      const sorted = [...new Set(names)].sort()
      const rows = await sql.rows<{ name: string }>(
        `WITH sent (name) AS (VALUES ${valueMarks(
          sorted.map((name) => [name]),
          2,
          ['TEXT'],
        )})
         INSERT INTO leases (name, holder, acquired_at, ttl_ms)
         SELECT name, $1, ${db.now}, CAST($2 AS BIGINT) FROM sent WHERE true
         ON CONFLICT (name) DO UPDATE SET
           holder = excluded.holder, acquired_at = excluded.acquired_at, ttl_ms = excluded.ttl_ms
         WHERE leases.holder = excluded.holder
           OR leases.acquired_at + leases.ttl_ms <= excluded.acquired_at
           OR leases.acquired_at - leases.ttl_ms > excluded.acquired_at
         RETURNING name`,
        [holder, Math.ceil(ttlMs), ...sorted],
      )
      return rows.map(({ name }) => name)
    })
  return {
    acquire: async (name, holder, ttlMs) => (await acquireAll([name], holder, ttlMs)).length > 0,
    acquireAll,
    async held(prefix) {
      const rows = await db.rows<{ name: string }>(
        `SELECT name FROM leases
         WHERE name >= $1 AND name < $2 AND acquired_at + ttl_ms > ${db.now} AND acquired_at - ttl_ms <= ${db.now}
         ORDER BY name`,
        [prefix, afterPrefix(prefix)],
      )
      return rows.map(({ name }) => name)
    },
    release: (name, holder) =>
      db.inTransaction(async (sql) => {
        await sql.run('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
      }),
  }
}
