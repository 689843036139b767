import type { PoolClient } from 'pg'
import type { JournalEntry, ReplacedEntries } from '../../../usage/port.ts'
import { checkJournalEntry, partitionName, partitionsOf } from '../../usage-row.ts'
import { bufferOf, type Database, durableSql } from '../database.ts'
import { ensurePartition, type PartitionId, type PartitionIds } from './partitions.ts'

/**
 * Appends entries, in one round trip to the server if they are few. Appenders of one partition take turns, so that sequence
 * numbers become visible in order: a reader that has read up to one number has missed none before it.
 */
export async function appendEntries(
  db: Database,
  known: PartitionIds,
  entries: readonly JournalEntry[],
  replaced?: ReplacedEntries,
): Promise<readonly number[]> {
  entries.forEach(checkJournalEntry)
  try {
    return await insertEntries(db, await known.of(db, partitionsOf(entries)), entries, replaced)
  } catch (error) {
    if (!(error instanceof OutdatedIds)) throw error
    known.clear()
    return insertEntries(db, await known.of(db, partitionsOf(entries)), entries, replaced)
  }
}

/** The database was restored from a backup or replaced while this process was running. */
class OutdatedIds extends Error {}

async function insertEntries(
  db: Database,
  ids: ReadonlyMap<string, PartitionId>,
  entries: readonly JournalEntry[],
  replaced: ReplacedEntries | undefined,
): Promise<readonly number[]> {
  const sequencesOf = (rows: readonly { sequence: number }[]): number[] => {
    if (rows.length === 0) throw new OutdatedIds()
    return rows.map(({ sequence }) => sequence)
  }
  if (replaced === undefined && entries.length <= entriesAtOnce)
    return sequencesOf(await db.rows(...insertOf(entries, ids)))
  return db.inTransaction(async (client) => {
    const inserted: number[] = []
    await client.query(`SELECT ${lockSql}`, [journalLocks, lockedIds(ids)])
    for (let from = 0; from < entries.length; from += entriesAtOnce) {
      const { rows } = await client.query(...insertOf(entries.slice(from, from + entriesAtOnce), ids))
      inserted.push(...sequencesOf(rows))
    }
    if (replaced !== undefined)
      await consumeEntries(client, await ensurePartition(client, replaced.partition), replaced.consumed)
    return inserted
  })
}

const lockSql = 'pg_advisory_xact_lock($1, id) FROM unnest($2::integer[]) AS locks (id)'

/** In ascending order, so that appenders do not wait for each other in a circle. */
const lockedIds = (ids: ReadonlyMap<string, PartitionId>): number[] =>
  [...ids.values()].map(({ id }) => id).sort((a, b) => a - b)

/** Rows get their numbers after the locks are taken. Nothing is inserted if an id belongs to another partition. */
function insertOf(
  entries: readonly JournalEntry[],
  ids: ReadonlyMap<string, PartitionId>,
): [sql: string, values: unknown[]] {
  const types = ['bigint', 'integer', 'bigint', 'text', 'text', 'bytea']
  const partitions = partitionsOf(entries)
  const values = [
    journalLocks,
    lockedIds(ids),
    partitions.map((partition) => ids.get(partitionName(partition))!.id),
    partitions.map(({ shard = 0 }) => shard),
    partitions.map(({ organisation }) => organisation),
    partitions.map(({ source }) => source),
  ]
  const marks = entries.map(
    (_, row) =>
      `(${types.map((type, n) => `$${values.length + types.length * row + n + 1}::${type}`).join(', ')})`,
  )
  return [
    `WITH ready AS MATERIALIZED (SELECT ${durableSql}, ${lockSql}),
       known AS MATERIALIZED (
         SELECT count(*) FROM unnest($3::bigint[], $4::integer[], $5::text[], $6::text[]) AS asked (id, shard, organisation, source)
         JOIN usage_partitions USING (id, shard, organisation, source))
     INSERT INTO usage_journal (partition, shard, received_at, format, cluster, body)
     SELECT sent.* FROM (VALUES ${marks.join(', ')}) AS sent, (SELECT count(*) FROM ready) AS all_ready, known
     WHERE known.count = ${partitions.length}
     RETURNING sequence`,
    [
      ...values,
      ...entries.flatMap(({ partition, receivedAt, format, cluster, body }) => [
        ids.get(partitionName(partition))!.id,
        partition.shard ?? 0,
        receivedAt,
        format,
        cluster,
        bufferOf(body),
      ]),
    ],
  ]
}

export const consumeEntries = (client: PoolClient, { id, shard }: PartitionId, consumed: readonly number[]) =>
  client.query(
    'DELETE FROM usage_journal WHERE partition = $1 AND shard = $2 AND sequence = ANY ($3::bigint[])',
    [id, shard, consumed],
  )

const entriesAtOnce = 100

/** Key of our advisory locks: "uj" in ASCII. */
const journalLocks = 0x756a
