import type { PoolClient } from 'pg'
import type { Checkpoint, EntityRow, Partition, SubjectRow } from '../../../usage/port.ts'
import { checkText } from '../../storable.ts'
import { keyBytes, lateDaysOf, type SubjectDay } from '../../usage-row.ts'
import { bufferOf, nowSql } from '../database.ts'
import { consumeEntries } from './journal.ts'
import { lockPartition, type PartitionId } from './partitions.ts'

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

async function writeEntities(client: PoolClient, own: PartitionId, entities: readonly EntityRow[]) {
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

const subjectsAtOnce = 500
