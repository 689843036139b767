import type { PoolClient } from 'pg'
import {
  type Checkpoint,
  type EntityRow,
  type JournalEntry,
  type Partition,
  type ReplacedEntries,
  type SubjectRow,
  Superseded,
} from '../../../usage/port.ts'
import { checkText } from '../../storable.ts'
import {
  checkJournalEntry,
  checkPartition,
  keyBytes,
  lateDaysOf,
  partitionName,
  partitionsOf,
  type SubjectDay,
} from '../../usage-row.ts'
import { type Database, durableSql, nowSql } from '../database.ts'
import { ensureOrganisation } from '../organisations.ts'

/** The row of a partition. The shard is part of every key, so that each statement concerns one shard. */
export interface PartitionId {
  readonly id: number
  readonly shard: number
}

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

/**
 * The rows get their numbers after the locks are taken. A commit waits for the disk even if that is not the default.
 * Nothing is inserted if an id belongs to another partition.
 */
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

/** The ids of partitions, which are never deleted. */
export class PartitionIds {
  readonly #ids = new Map<string, PartitionId>()

  clear(): void {
    this.#ids.clear()
  }

  async of(db: Database, partitions: readonly Partition[]): Promise<ReadonlyMap<string, PartitionId>> {
    const missing = partitions.filter((partition) => !this.#ids.has(partitionName(partition)))
    if (missing.length > 0) {
      const found = await db.inTransaction((client) => ensurePartitions(client, missing))
      if (this.#ids.size > maxKnownIds) this.#ids.clear()
      for (const [name, id] of found) this.#ids.set(name, id)
      return this.of(db, partitions)
    }
    return new Map(
      partitions.map((partition) => [partitionName(partition), this.#ids.get(partitionName(partition))!]),
    )
  }
}

const maxKnownIds = 100_000

const consumeEntries = (client: PoolClient, { id, shard }: PartitionId, consumed: readonly number[]) =>
  client.query(
    'DELETE FROM usage_journal WHERE partition = $1 AND shard = $2 AND sequence = ANY ($3::bigint[])',
    [id, shard, consumed],
  )

/** A pushed request has a part for most shards, so their rows are found by one statement. */
async function ensurePartitions(
  client: PoolClient,
  partitions: readonly Partition[],
): Promise<Map<string, PartitionId>> {
  partitions.forEach(checkPartition)
  const { rows } = await client.query<PartitionId & Partition>(
    `SELECT p.id, p.organisation, p.source, p.shard FROM usage_partitions p
     JOIN unnest($1::text[], $2::text[], $3::integer[]) AS sent (organisation, source, shard)
       ON p.organisation = sent.organisation AND p.source = sent.source AND p.shard = sent.shard`,
    [
      partitions.map(({ organisation }) => organisation),
      partitions.map(({ source }) => source),
      partitions.map(({ shard = 0 }) => shard),
    ],
  )
  const ids = new Map<string, PartitionId>(rows.map((row) => [partitionName(row), row]))
  for (const partition of partitions)
    if (!ids.has(partitionName(partition)))
      ids.set(partitionName(partition), await ensurePartition(client, partition))
  return ids
}

export async function ensurePartition(client: PoolClient, partition: Partition): Promise<PartitionId> {
  checkPartition(partition)
  const { organisation, source, shard = 0 } = partition
  const find = () =>
    client.query<PartitionId>(
      'SELECT id, shard FROM usage_partitions WHERE organisation = $1 AND source = $2 AND shard = $3',
      [organisation, source, shard],
    )
  const known = (await find()).rows[0]
  if (known !== undefined) return known
  await ensureOrganisation(client, organisation)
  await client.query(
    `INSERT INTO usage_partitions (organisation, source, shard, epoch, resume) VALUES ($1, $2, $3, 0, '')
     ON CONFLICT (organisation, source, shard) DO NOTHING`,
    [organisation, source, shard],
  )
  return (await find()).rows[0]!
}

export async function openPartition(
  client: PoolClient,
  { id, shard }: PartitionId,
): Promise<{ epoch: number; resume: string }> {
  const { rows } = await client.query<{ epoch: number; resume: string }>(
    'UPDATE usage_partitions SET epoch = epoch + 1 WHERE id = $1 AND shard = $2 RETURNING epoch, resume',
    [id, shard],
  )
  return rows[0]!
}

/** Locks the partition until the end of the transaction, and prevents pruning of the organisation meanwhile. */
export async function lockPartition(
  client: PoolClient,
  { organisation, source, shard = 0 }: Partition,
  epoch: number,
): Promise<PartitionId> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [pruneLocks, organisation])
  const { rows } = await client.query<PartitionId>(
    `SELECT id, shard FROM usage_partitions
     WHERE organisation = $1 AND source = $2 AND shard = $3 AND epoch = $4 FOR NO KEY UPDATE`,
    [organisation, source, shard, epoch],
  )
  if (rows[0] === undefined) throw new Superseded('another node took over')
  return rows[0]
}

/** Returns the days of digests that are committed late; see lateDaysOf. */
export async function commitCheckpoint(
  client: PoolClient,
  partition: Partition,
  epoch: number,
  checkpoint: Checkpoint,
): Promise<SubjectDay[]> {
  const { organisation } = partition
  const { subjects, entities, consumed, forgotten } = checkpoint
  const own = await lockPartition(client, partition, epoch)
  const today = await updatePartition(client, own, checkpoint)
  await writeSubjects(client, organisation, own, epoch, subjects)
  await writeEntities(client, own, entities)
  await consumeEntries(client, own, consumed)
  await forgetStates(client, organisation, own, forgotten)
  const lateDays = lateDaysOf(subjects, today)
  if (lateDays.length > 0) await markLate(client, own)
  return lateDays
}

/** Returns the current day of the database. */
async function updatePartition(
  client: PoolClient,
  { id, shard }: PartitionId,
  { resume, subjectCount = 0 }: Checkpoint,
): Promise<number> {
  checkText(resume)
  const { rows } = await client.query<{ today: number }>(
    `UPDATE usage_partitions SET resume = $1, subjects = $2 WHERE id = $3 AND shard = $4
     RETURNING ${nowSql} / 86400000 AS today`,
    [resume, subjectCount, id, shard],
  )
  return rows[0]!.today
}

const markLate = (client: PoolClient, { id, shard }: PartitionId) =>
  client.query(`UPDATE usage_partitions SET late_at = ${nowSql} WHERE id = $1 AND shard = $2`, [id, shard])

async function writeSubjects(
  client: PoolClient,
  organisation: string,
  own: PartitionId,
  epoch: number,
  subjects: readonly SubjectRow[],
): Promise<void> {
  // Always in the same order, so that commits of two partitions cannot deadlock.
  const sorted = subjects
    .map((row) => ({ row, bytes: keyBytes(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  for (let from = 0; from < sorted.length; from += subjectsAtOnce) {
    const batch = sorted.slice(from, from + subjectsAtOnce)
    const keys = batch.map(({ bytes }) => bytes)
    const rows = batch.map(({ row }) => row)
    const ids = await ensureSubjects(client, organisation, own.shard, keys)
    await upsertStates(client, own, ids, rows)
    await upsertDigests(client, own, epoch, ids, rows)
  }
}

/** The ids are those of the subjects in the rows, in the same order. */
const upsertStates = (
  client: PoolClient,
  { id, shard }: PartitionId,
  ids: readonly number[],
  rows: readonly SubjectRow[],
) =>
  client.query(
    `INSERT INTO usage_states (partition, subject, shard, state)
     SELECT $1, sent.subject, $2, sent.state FROM unnest($3::bigint[], $4::bytea[]) AS sent (subject, state)
     ON CONFLICT (partition, subject, shard) DO UPDATE SET state = excluded.state`,
    [id, shard, ids, rows.map(({ state }) => bufferOf(state))],
  )

/** The ids are those of the subjects in the rows, in the same order. */
async function upsertDigests(
  client: PoolClient,
  { id, shard }: PartitionId,
  epoch: number,
  ids: readonly number[],
  rows: readonly SubjectRow[],
): Promise<void> {
  const digests = rows.flatMap((row, at) => row.digests.map((digest) => ({ ...digest, subject: ids[at]! })))
  if (digests.length === 0) return
  await client.query(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, shard, bytes)
     SELECT sent.subject, sent.hour, $1, $3, sent.part, $2, sent.bytes
     FROM unnest($4::bigint[], $5::integer[], $6::integer[], $7::bytea[]) AS sent (subject, hour, part, bytes)
     ON CONFLICT (subject, hour, partition, epoch, part, shard) DO UPDATE SET bytes = excluded.bytes`,
    [
      id,
      shard,
      epoch,
      digests.map(({ subject }) => subject),
      digests.map(({ hour }) => hour),
      digests.map(({ part }) => part),
      digests.map(({ bytes }) => bufferOf(bytes)),
    ],
  )
}

async function writeEntities(
  client: PoolClient,
  own: PartitionId,
  entities: readonly EntityRow[],
): Promise<void> {
  for (const row of entities) {
    checkText(row.cluster)
    checkText(row.json)
  }
  for (let from = 0; from < entities.length; from += subjectsAtOnce)
    await upsertEntities(client, own, entities.slice(from, from + subjectsAtOnce))
}

const upsertEntities = (client: PoolClient, { id, shard }: PartitionId, rows: readonly EntityRow[]) =>
  client.query(
    `INSERT INTO usage_entities (partition, shard, key, kind, cluster, last_hour, json)
     SELECT $1, $2, * FROM unnest($3::bytea[], $4::text[], $5::text[], $6::integer[], $7::text[])
     ON CONFLICT (partition, key, shard) DO UPDATE SET last_hour = excluded.last_hour, json = excluded.json`,
    [
      id,
      shard,
      rows.map((row) => keyBytes(row.key)),
      rows.map((row) => row.kind),
      rows.map((row) => row.cluster),
      rows.map((row) => row.lastHour),
      rows.map((row) => row.json),
    ],
  )

async function forgetStates(
  client: PoolClient,
  organisation: string,
  { id, shard }: PartitionId,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await client.query(
    `DELETE FROM usage_states t USING usage_subjects s
     WHERE t.partition = $1 AND t.shard = $2 AND t.subject = s.id AND s.shard = $2
       AND s.organisation = $3 AND s.key = ANY ($4::bytea[])`,
    [id, shard, organisation, keys.map(keyBytes)],
  )
}

/**
 * Returns the row ids of subjects in the order of their keys, and inserts missing rows. Other statements use these ids
 * instead of joins: if an organisation is too new for statistics, joins are planned as if it had one subject.
 */
export async function ensureSubjects(
  client: PoolClient,
  organisation: string,
  shard: number,
  keys: readonly Buffer[],
): Promise<number[]> {
  const ids = new Map<string, number>()
  const missing = () => keys.filter((key) => !ids.has(key.toString('latin1')))
  const findSubjectIds = async (of: readonly Buffer[]) => {
    const { rows } = await client.query<{ id: number; key: Buffer }>(
      'SELECT id, key FROM usage_subjects WHERE organisation = $1 AND shard = $2 AND key = ANY ($3::bytea[])',
      [organisation, shard, of],
    )
    for (const { id, key } of rows) ids.set(key.toString('latin1'), id)
  }
  await findSubjectIds(keys)
  const fresh = missing()
  if (fresh.length > 0) {
    await client.query(
      `INSERT INTO usage_subjects (organisation, key, shard)
       SELECT $1, key, $2 FROM unnest($3::bytea[]) AS sent (key)
       ORDER BY key ON CONFLICT (organisation, key, shard) DO NOTHING`,
      [organisation, shard, fresh],
    )
    await findSubjectIds(fresh)
  }
  return keys.map((key) => ids.get(key.toString('latin1'))!)
}

export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const entriesAtOnce = 100
const subjectsAtOnce = 500

/** Keys of our advisory locks: "uj" and "up" in ASCII. */
const journalLocks = 0x756a
export const pruneLocks = 0x7570
