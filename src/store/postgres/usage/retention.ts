import type { PoolClient } from 'pg'
import { dayHours } from '../../../domain/time.ts'
import type { CompactDay, LooseDay, Partition } from '../../../usage/port.ts'
import { plainBytes } from '../../storable.ts'
import { dayOfHour, isLooseSql, keyBytes, keyFromBytes } from '../../usage-row.ts'
import { bufferOf, type Database } from '../database.ts'
import { ensureSubjects } from './checkpoint.ts'
import { type PartitionId, pruneLocks } from './partitions.ts'
import { dayTable } from './tables.ts'

/** Looked up hour by hour, since one day may have millions. A subject whose day was compacted is no longer loose. */
export async function looseDays(
  db: Database,
  { organisation, source, shard = 0 }: Partition,
  beforeHour: number,
  maxDays: number,
): Promise<LooseDay[]> {
  const [partition] = await db.rows<PartitionId>(
    'SELECT id, shard FROM usage_partitions WHERE organisation = $1 AND source = $2 AND shard = $3',
    [organisation, source, shard],
  )
  if (partition === undefined) return []
  const before = dayOfHour(beforeHour) * dayHours
  const found = new Map<number, Set<number>>()
  let left = maxDays
  let hour = await looseHourBefore(db, partition, before)
  while (hour !== null && left > 0) {
    const rows = await db.rows<{ subject: number }>(
      `SELECT DISTINCT subject FROM usage_digests
       WHERE partition = $1 AND shard = $2 AND hour = $3 AND ${isLooseSql('')} ORDER BY subject LIMIT $4`,
      [partition.id, shard, hour, maxDays],
    )
    const subjects = found.getOrInsertComputed(dayOfHour(hour), () => new Set())
    const more = rows.map(({ subject }) => subject).filter((subject) => !subjects.has(subject))
    for (const subject of more.slice(0, left)) subjects.add(subject)
    left -= Math.min(left, more.length)
    hour = await looseHourBefore(db, partition, hour)
  }
  const days: LooseDay[] = []
  for (const [day, subjects] of found) days.push(...(await rowsOfDay(db, partition, day, [...subjects])))
  return days
}

async function looseHourBefore(db: Database, { id, shard }: PartitionId, before: number) {
  const [row] = await db.rows<{ hour: number | null }>(
    `SELECT max(hour) AS hour FROM usage_digests
     WHERE partition = $1 AND shard = $2 AND hour < $3 AND ${isLooseSql('')}`,
    [id, shard, before],
  )
  return row!.hour
}

async function rowsOfDay(db: Database, { id, shard }: PartitionId, day: number, subjects: readonly number[]) {
  const rows = await db.rows<{ key: Uint8Array; rows: Uint8Array[] }>(
    `SELECT s.key, array_agg(d.bytes ORDER BY d.hour, d.epoch, d.part) AS rows
     FROM usage_digests d JOIN usage_subjects s ON s.id = d.subject AND s.shard = d.shard
     WHERE d.subject = ANY ($1::bigint[]) AND d.partition = $2 AND d.shard = $3 AND d.hour >= $4 AND d.hour < $5
     GROUP BY s.key, d.subject ORDER BY d.subject`,
    [subjects, id, shard, day * dayHours, (day + 1) * dayHours],
  )
  return rows.map(({ key, rows: own }) => ({ key: keyFromBytes(key), day, rows: own.map(plainBytes) }))
}

export async function writeCompactDays(
  client: PoolClient,
  organisation: string,
  { id, shard }: PartitionId,
  days: readonly CompactDay[],
): Promise<void> {
  const keys = days.map(({ key }) => keyBytes(key))
  const subjects = await ensureSubjects(client, organisation, shard, keys)
  const numbers = days.map(({ day }) => day)
  for (const day of new Set(numbers)) {
    const own = [subjects.filter((_, at) => numbers[at] === day), id, shard]
    await client.query(
      `DELETE FROM usage_digests
       WHERE subject = ANY ($1::bigint[]) AND partition = $2 AND shard = $3 AND hour >= $4 AND hour < $5`,
      [...own, day * dayHours, (day + 1) * dayHours],
    )
    await client.query(
      'DELETE FROM usage_days WHERE subject = ANY ($1::bigint[]) AND partition = $2 AND shard = $3 AND day = $4',
      [...own, day],
    )
  }
  await client.query(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, shard, bytes)
     SELECT sent.subject, sent.day * ${dayHours}, $1, 0, 1, $2, sent.bytes
     FROM unnest($3::bigint[], $4::integer[], $5::bytea[]) AS sent (subject, day, bytes)`,
    [id, shard, subjects, numbers, days.map(({ bytes }) => bufferOf(bytes))],
  )
  await client.query(
    `INSERT INTO usage_days (subject, day, partition, shard, bytes)
     SELECT sent.subject, sent.day, $1, $2, sent.summary
     FROM unnest($3::bigint[], $4::integer[], $5::bytea[]) AS sent (subject, day, summary)
     WHERE octet_length(sent.summary) > 0`,
    [id, shard, subjects, numbers, days.map(({ summary }) => bufferOf(summary))],
  )
}

/** Commits wait meanwhile, so that none of them writes a subject that is being removed. */
export async function prune(
  client: PoolClient,
  organisation: string,
  beforeHour: number,
  maxRows: number,
  days: readonly number[],
): Promise<number> {
  await lockForPruning(client, organisation)
  const own = await client.query<{ id: number }>('SELECT id FROM usage_partitions WHERE organisation = $1', [
    organisation,
  ])
  const partitions = own.rows.map(({ id }) => id)
  const subjects = new Set<number>()
  let gone = 0
  for (const day of days) {
    if (gone >= maxRows) break
    const { rows } = await client.query<{ subject: number; partition: number }>(
      `DELETE FROM ${dayTable('digests', day)} d USING (
         SELECT subject, hour, partition, epoch, part, shard FROM ${dayTable('digests', day)}
         WHERE partition = ANY ($1::bigint[]) LIMIT $2) AS old
       WHERE d.subject = old.subject AND d.hour = old.hour AND d.partition = old.partition
         AND d.epoch = old.epoch AND d.part = old.part AND d.shard = old.shard
       RETURNING d.subject, d.partition`,
      [partitions, maxRows - gone],
    )
    if (rows.length === 0) continue
    await client.query(
      `DELETE FROM ${dayTable('days', day)} d USING unnest($1::bigint[], $2::bigint[]) AS gone (subject, partition)
       WHERE d.subject = gone.subject AND d.partition = gone.partition`,
      [rows.map(({ subject }) => subject), rows.map(({ partition }) => partition)],
    )
    gone += rows.length
    for (const { subject } of rows) subjects.add(subject)
  }
  await removeSubjectsWithout(client, [...subjects], 0)
  const entities = await client.query(
    'DELETE FROM usage_entities WHERE partition = ANY ($1::bigint[]) AND last_hour < $2',
    [partitions, dayOfHour(beforeHour) * dayHours],
  )
  return gone + (entities.rowCount ?? 0)
}

export async function removeEndedSubjects(
  client: PoolClient,
  subjects: readonly number[],
  fromHour: number,
): Promise<void> {
  const { rows } = await client.query<{ organisation: string }>(
    'SELECT DISTINCT organisation FROM usage_subjects WHERE id = ANY ($1::bigint[]) ORDER BY organisation',
    [subjects],
  )
  for (const { organisation } of rows) await lockForPruning(client, organisation)
  await removeSubjectsWithout(client, subjects, fromHour)
}

const lockForPruning = (client: PoolClient, organisation: string) =>
  client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [pruneLocks, organisation])

async function removeSubjectsWithout(client: PoolClient, subjects: readonly number[], fromHour: number) {
  const ended = await client.query<{ id: number; organisation: string }>(
    `DELETE FROM usage_subjects s WHERE s.id = ANY ($1::bigint[])
       AND NOT EXISTS (SELECT 1 FROM usage_digests d WHERE d.subject = s.id AND d.shard = s.shard AND d.hour >= $2)
     RETURNING id, organisation`,
    [subjects, fromHour],
  )
  await client.query(
    `DELETE FROM usage_states t USING usage_partitions p
     WHERE p.organisation = ANY ($1) AND t.partition = p.id AND t.shard = p.shard AND t.subject = ANY ($2::bigint[])`,
    [[...new Set(ended.rows.map((row) => row.organisation))], ended.rows.map(({ id }) => id)],
  )
}
