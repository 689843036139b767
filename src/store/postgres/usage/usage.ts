import { dayHours } from '../../../domain/time.ts'
import type { Checkpoint, JournalEntry, Partition, UsageStore } from '../../../usage/port.ts'
import { isStorable, plainBytes } from '../../storable.ts'
import type { StoredEntityRow } from '../../usage-row.ts'
import {
  dayOfHour,
  entityFromRow,
  keyFromBytes,
  keyRange,
  openedEntitiesSql,
  partitionFromRow,
} from '../../usage-row.ts'
import type { Database } from '../database.ts'
import { commitCheckpoint } from './checkpoint.ts'
import { DayTables } from './day-tables.ts'
import { postgresDigests, type UsageReading } from './digests.ts'
import { appendEntries } from './journal.ts'
import { forgetNodeLoads, postgresNodeLoads, pruneNodeLoads } from './node-loads.ts'
import { ensurePartition, lockPartition, openPartition, PartitionIds } from './partitions.ts'
import { looseDays, prune, writeCompactDays } from './retention.ts'
import { daysBefore } from './tables.ts'

/** `reading` may be a replica and serves queries. What decides about writes is read from the primary. */
export function postgresUsage(db: Database, reading: UsageReading = db): UsageStore {
  const days = new DayTables(db)
  const partitionIds = new PartitionIds()
  return {
    append: (entries, replaced) => appendEntries(db, partitionIds, entries, replaced),
    async pending() {
      const rows = await db.rows<Required<Partition>>(
        `SELECT p.organisation, p.source, p.shard FROM usage_partitions p
         JOIN (SELECT DISTINCT partition, shard FROM usage_journal) AS j ON j.partition = p.id AND j.shard = p.shard
         ORDER BY p.organisation, p.source, p.shard`,
      )
      return rows.map(partitionFromRow)
    },
    async subjectCounts() {
      const rows = await db.rows<Required<Partition> & { subjects: number }>(
        `SELECT organisation, source, shard, subjects FROM usage_partitions
         WHERE source = 'push' AND subjects > 0 ORDER BY organisation, shard`,
      )
      return rows.map((row) => ({ partition: partitionFromRow(row), subjects: Number(row.subjects) }))
    },
    async partitions() {
      const rows = await db.rows<Required<Partition> & { resume: string; pending: boolean }>(
        `SELECT organisation, source, shard, resume,
           EXISTS (SELECT 1 FROM usage_journal j WHERE j.partition = p.id AND j.shard = p.shard) AS pending
         FROM usage_partitions p ORDER BY organisation, source, shard`,
      )
      return rows.map((row) => ({ ...partitionFromRow(row), resume: row.resume, pending: row.pending }))
    },
    open: (partition) =>
      db.inTransaction(async (client) => {
        const own = await ensurePartition(client, partition)
        const { epoch, resume } = await openPartition(client, own)
        const states = await client.query<{ key: Uint8Array; state: Uint8Array }>(
          `SELECT s.key, t.state FROM usage_states t JOIN usage_subjects s ON s.id = t.subject AND s.shard = t.shard
           WHERE t.partition = $1 AND t.shard = $2`,
          [own.id, own.shard],
        )
        const entities = await client.query<StoredEntityRow>(
          `SELECT key, kind, cluster, last_hour, json FROM usage_entities
           WHERE partition = $1 AND shard = $2 AND ${openedEntitiesSql.replace('?', '$1')} ORDER BY key`,
          [own.id, own.shard],
        )
        return {
          epoch,
          resume,
          subjects: states.rows.map(({ key, state }) => ({
            key: keyFromBytes(key),
            state: plainBytes(state),
          })),
          entities: entities.rows.map(entityFromRow),
        }
      }),
    fence: (partition) =>
      db.inTransaction(async (client) => {
        const { epoch } = await openPartition(client, await ensurePartition(client, partition))
        return epoch
      }),
    async journal(partition, after, maxBytes, known = []) {
      const rows = await db.rows<JournalRow>(
        `SELECT sequence, received_at, format, cluster,
           CASE WHEN sequence = ANY ($6::bigint[]) THEN '' ELSE body END AS body FROM (
           SELECT *, sum(octet_length(body)) OVER (ORDER BY sequence) AS upto, row_number() OVER (ORDER BY sequence) AS place
           FROM (SELECT j.* FROM usage_journal j JOIN usage_partitions p ON p.id = j.partition AND p.shard = j.shard
                 WHERE p.organisation = $1 AND p.source = $2 AND p.shard = $3 AND j.sequence > $4
                 ORDER BY j.sequence LIMIT ${maxEntries}) AS next
         ) AS counted WHERE place = 1 OR upto <= $5 ORDER BY sequence`,
        [partition.organisation, partition.source, partition.shard ?? 0, after, maxBytes, known],
      )
      return rows.map((row) => ({
        partition,
        sequence: row.sequence,
        receivedAt: row.received_at,
        format: row.format,
        cluster: row.cluster,
        body: plainBytes(row.body),
      }))
    },
    commit: (partition, epoch, checkpoint) =>
      days.write(hoursOf(checkpoint), () =>
        db.inTransaction(async (client) => {
          const lateDays = await commitCheckpoint(client, partition, epoch, checkpoint)
          await forgetNodeLoads(client, partition.organisation, lateDays)
        }),
      ),
    digests: postgresDigests(reading),
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
      if (cluster !== undefined && !isStorable(cluster)) return []
      const rows = await reading.rows<StoredEntityRow>(
        `SELECT e.key, e.kind, e.cluster, e.last_hour, e.json FROM usage_entities e
         JOIN usage_partitions p ON p.id = e.partition AND p.shard = e.shard
         WHERE p.organisation = $1 AND ($2::text[] IS NULL OR e.kind = ANY ($2)) AND ($3::text IS NULL OR e.cluster = $3)
           AND e.last_hour >= $4
         ORDER BY e.key, p.source, p.shard`,
        [organisation, kinds ?? null, cluster ?? null, fromHour],
      )
      return rows.map(entityFromRow)
    },
    loose: (partition, beforeHour, maxDays) => looseDays(db, partition, beforeHour, maxDays),
    compact: (partition, epoch, compacted) =>
      days.write(
        compacted.map(({ day }) => day * dayHours),
        () =>
          db.inTransaction(async (client) => {
            const own = await lockPartition(client, partition, epoch)
            await writeCompactDays(client, partition.organisation, own, compacted)
            await forgetNodeLoads(client, partition.organisation, compacted)
          }),
      ),
    ...postgresNodeLoads(db),
    async lateUsageAt(organisation) {
      const [found] = await db.rows<{ late_at: number }>(
        'SELECT coalesce(max(late_at), 0) AS late_at FROM usage_partitions WHERE organisation = $1',
        [organisation],
      )
      return found!.late_at
    },
    async prune(organisation, beforeHour, maxRows) {
      const old = await daysBefore(db, beforeHour)
      return db.inTransaction(async (client) => {
        await pruneNodeLoads(client, organisation, dayOfHour(beforeHour))
        return prune(client, organisation, beforeHour, maxRows, old)
      })
    },
    dropDays: (beforeHour) => days.drop(beforeHour),
  }
}

const hoursOf = ({ subjects }: Checkpoint): number[] =>
  subjects.flatMap(({ digests }) => digests.map(({ hour }) => hour))

/** Maximum number of entries that are read for one answer. */
const maxEntries = 1000

interface JournalRow {
  readonly sequence: number
  readonly received_at: number
  readonly format: JournalEntry['format']
  readonly cluster: string
  readonly body: Uint8Array
}
