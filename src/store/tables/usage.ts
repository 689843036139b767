import type { UsageStore } from '../../usage/port.ts'
import { checkOrganisation, checkText, isStorable, plainBytes } from '../storable.ts'
import {
  entityFromRow,
  keyFromBytes,
  keyRange,
  partitionFromRow,
  type StoredEntityRow,
} from '../usage-row.ts'
import { batchesOf, type Sql, type SqlDatabase, valueMarks } from './sql.ts'

type SharedUsage = Pick<
  UsageStore,
  | 'pending'
  | 'subjectCounts'
  | 'partitions'
  | 'firstKey'
  | 'entities'
  | 'nodeLoads'
  | 'nodeLoadsChangedAt'
  | 'keepNodeLoads'
  | 'lateUsageAt'
>

type PartitionRow = Parameters<typeof partitionFromRow>[0]

/**
 * `reading` may be a replica. Loads of nodes and what decides about writes are read from the primary, since a replica may
 * still have the loads of a day that was compacted since. Rows of partition p are those of which `isOf` is true.
 */
export const usageTables = (db: SqlDatabase, reading: Sql, isOf: (row: string) => string): SharedUsage => {
  const hasEntries = `EXISTS (SELECT 1 FROM usage_journal j WHERE ${isOf('j')})`
  return {
    async pending() {
      const rows = await db.rows<PartitionRow>(
        `SELECT organisation, source, shard FROM usage_partitions p
         WHERE ${hasEntries} ORDER BY organisation, source, shard`,
      )
      return rows.map(partitionFromRow)
    },
    async subjectCounts() {
      const rows = await db.rows<PartitionRow & { subjects: number }>(
        `SELECT organisation, source, shard, subjects FROM usage_partitions
         WHERE source = 'push' AND subjects > 0 ORDER BY organisation, shard`,
      )
      return rows.map((row) => ({ partition: partitionFromRow(row), subjects: Number(row.subjects) }))
    },
    async partitions() {
      const rows = await db.rows<PartitionRow & { resume: string; pending: boolean | number }>(
        `SELECT organisation, source, shard, resume, ${hasEntries} AS pending
         FROM usage_partitions p ORDER BY organisation, source, shard`,
      )
      return rows.map((row) => ({
        ...partitionFromRow(row),
        resume: row.resume,
        pending: Boolean(row.pending),
      }))
    },
    async firstKey(organisation, query) {
      const { from, to } = keyRange(query)
      const [found] = await reading.rows<{ key: Uint8Array }>(
        `SELECT key FROM usage_subjects
         WHERE organisation = $1 AND key >= $2 AND key > $3 AND key < $4 ORDER BY key LIMIT 1`,
        [organisation, from, Buffer.from(query.after ?? ''), to],
      )
      return found && keyFromBytes(found.key)
    },
    async entities(organisation, { kinds, cluster, fromHour = 0 }) {
      if (kinds?.length === 0 || !isStorable(cluster ?? '')) return []
      const rows = await reading.rows<StoredEntityRow>(
        `SELECT e.key, e.kind, e.cluster, e.last_hour, e.json
         FROM usage_partitions p JOIN usage_entities e ON ${isOf('e')}
         WHERE p.organisation = $1 AND e.last_hour >= $2
           ${kinds === undefined ? '' : `AND e.kind IN (${kinds.map((_, at) => `$${at + 3}`).join(', ')})`}
           ${cluster === undefined ? '' : `AND e.cluster = $${(kinds?.length ?? 0) + 3}`}
         ORDER BY e.key, p.source, p.shard`,
        [organisation, fromHour, ...(kinds ?? []), ...(cluster === undefined ? [] : [cluster])],
      )
      return rows.map(entityFromRow)
    },
    async nodeLoads(organisation, cluster, { from, to }, most = 2 ** 31 - 1) {
      if (!isStorable(cluster)) return []
      const rows = await db.rows<{ day: number; read_at: number; bytes: Uint8Array }>(
        `SELECT day, read_at, bytes FROM node_loads
         WHERE organisation = $1 AND cluster = $2 AND day >= $3 AND day < $4 AND length(bytes) > 0 ORDER BY day LIMIT $5`,
        [organisation, cluster, from, to, most],
      )
      return rows.map(({ day, read_at, bytes }) => ({ day, readAt: read_at, bytes: plainBytes(bytes) }))
    },
    async nodeLoadsChangedAt(organisation, cluster, { from, to }) {
      if (!isStorable(cluster)) return 0
      const [found] = await db.rows<{ changed_at: number | null }>(
        `SELECT max(read_at) AS changed_at FROM node_loads
         WHERE organisation = $1 AND cluster = $2 AND day >= $3 AND day < $4`,
        [organisation, cluster, from, to],
      )
      return found!.changed_at ?? 0
    },
    keepNodeLoads: (organisation, cluster, days) =>
      db.inTransaction(async (sql) => {
        checkOrganisation(organisation)
        checkText(cluster)
        for (const some of batchesOf(days.toSorted((a, b) => a.day - b.day))) {
          const rows = some.map(({ day, readAt, bytes }) => [organisation, cluster, day, readAt, bytes])
          await sql.run(
            `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes) VALUES ${valueMarks(rows)}
             ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes
             WHERE node_loads.read_at < excluded.read_at`,
            rows.flat(),
          )
        }
      }),
    async lateUsageAt(organisation) {
      const [found] = await db.rows<{ late_at: number }>(
        'SELECT coalesce(max(late_at), 0) AS late_at FROM usage_partitions WHERE organisation = $1',
        [organisation],
      )
      return found!.late_at
    },
  }
}
