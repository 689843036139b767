import type { PoolClient } from 'pg'
import type { CompactDay, LooseDay, Partition } from '../../usage/port.ts'
import { plainBytes } from '../change-row.ts'
import { dayHours, dayOfHour, keyBytes, keyFromBytes } from '../usage-row.ts'
import type { Database } from './database.ts'
import { bufferOf, ensureSubjects, pruneLocks } from './usage-writing.ts'

/** Rows of epoch 0 are those of whole days; all others are loose. */
export async function looseDays(
  db: Database,
  { organisation, source }: Partition,
  beforeHour: number,
  maxDays: number,
): Promise<LooseDay[]> {
  const rows = await db.rows<{ key: Uint8Array; day: number; rows: Uint8Array[] }>(
    `SELECT s.key, found.day, array_agg(d.bytes ORDER BY d.hour, d.epoch, d.part) AS rows
     FROM (SELECT d.partition, d.subject, d.hour / ${dayHours} AS day FROM usage_digests d
           JOIN usage_partitions p ON p.id = d.partition
           WHERE p.organisation = $1 AND p.source = $2 AND d.hour < $3 AND d.epoch > 0
           GROUP BY d.partition, day, d.subject ORDER BY day, d.subject LIMIT $4) AS found
     JOIN usage_subjects s ON s.id = found.subject
     JOIN usage_digests d ON d.subject = found.subject AND d.partition = found.partition
       AND d.hour >= found.day * ${dayHours} AND d.hour < (found.day + 1) * ${dayHours}
     GROUP BY s.key, found.day, found.subject ORDER BY found.day, found.subject`,
    [organisation, source, dayOfHour(beforeHour) * dayHours, maxDays],
  )
  return rows.map(({ key, day, rows: own }) => ({ key: keyFromBytes(key), day, rows: own.map(plainBytes) }))
}

export async function writeCompactDays(
  client: PoolClient,
  organisation: string,
  partition: number,
  days: readonly CompactDay[],
): Promise<void> {
  const keys = days.map(({ key }) => keyBytes(key))
  const sent = `unnest($3::bytea[], $4::integer[], $5::bytea[]) AS sent (key, day, bytes)
    JOIN usage_subjects s ON s.organisation = $1 AND s.key = sent.key`
  const values = [
    organisation,
    partition,
    keys,
    days.map(({ day }) => day),
    days.map(({ bytes }) => bufferOf(bytes)),
  ]
  await ensureSubjects(client, organisation, keys)
  await client.query(
    `DELETE FROM usage_digests d USING ${sent}
     WHERE d.subject = s.id AND d.partition = $2
       AND d.hour >= sent.day * ${dayHours} AND d.hour < (sent.day + 1) * ${dayHours}`,
    values,
  )
  await client.query(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes)
     SELECT s.id, sent.day * ${dayHours}, $2, 0, 0, sent.bytes FROM ${sent}`,
    values,
  )
}

/** Commits wait meanwhile, so that none writes of a subject that is being removed. */
export async function prune(
  client: PoolClient,
  organisation: string,
  beforeHour: number,
  maxRows: number,
): Promise<number> {
  const before = dayOfHour(beforeHour) * dayHours
  const own = '(SELECT id FROM usage_partitions WHERE organisation = $1)'
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [pruneLocks, organisation])
  const gone = await client.query<{ subject: number }>(
    `DELETE FROM usage_digests WHERE ctid IN (
       SELECT ctid FROM usage_digests WHERE partition IN ${own} AND hour < $2 LIMIT $3)
     RETURNING subject`,
    [organisation, before, maxRows],
  )
  const subjects = [...new Set(gone.rows.map(({ subject }) => subject))]
  const ended = await client.query<{ id: number }>(
    `DELETE FROM usage_subjects s WHERE s.id = ANY ($1::bigint[])
       AND NOT EXISTS (SELECT 1 FROM usage_digests d WHERE d.subject = s.id)
     RETURNING id`,
    [subjects],
  )
  await client.query(`DELETE FROM usage_states WHERE partition IN ${own} AND subject = ANY ($2::bigint[])`, [
    organisation,
    ended.rows.map(({ id }) => id),
  ])
  const entities = await client.query(
    `DELETE FROM usage_entities WHERE partition IN ${own} AND last_hour < $2`,
    [organisation, before],
  )
  return gone.rows.length + (entities.rowCount ?? 0)
}
