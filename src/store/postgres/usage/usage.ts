import { dayHours } from '../../../domain/time.ts'
import type { Checkpoint, JournalEntry, UsageStore } from '../../../usage/port.ts'
import { plainBytes } from '../../storable.ts'
import { usageTables } from '../../tables/usage.ts'
import type { StoredEntityRow } from '../../usage-row.ts'
import { dayOfHour, entityFromRow, keyFromBytes, openedEntitiesSql } from '../../usage-row.ts'
import type { Database } from '../database.ts'
import { postgresSql } from '../sql-database.ts'
import { commitCheckpoint } from './checkpoint.ts'
import { DayTables } from './day-tables.ts'
import { postgresDigests, type UsageReading } from './digests.ts'
import { appendEntries } from './journal.ts'
import { forgetNodeLoads, pruneNodeLoads } from './node-loads.ts'
import { ensurePartition, lockPartition, openPartition, PartitionIds } from './partitions.ts'
import { looseDays, prune, writeCompactDays } from './retention.ts'
import { daysBefore } from './tables.ts'

/** `reading` may be a replica and serves queries. What decides about writes is read from the primary. */
export function postgresUsage(db: Database, reading: UsageReading = db): UsageStore {
  const days = new DayTables(db)
  const partitionIds = new PartitionIds()
  return {
    ...usageTables(
      postgresSql(db),
      { rows: (sql, values) => reading.rows(sql, values) as Promise<never> },
      (row) => `${row}.partition = p.id AND ${row}.shard = p.shard`,
    ),
    append: (entries, replaced) => appendEntries(db, partitionIds, entries, replaced),
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
