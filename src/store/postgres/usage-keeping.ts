import type { PoolClient } from 'pg'
import type { CompactDay, LooseDay, Partition } from '../../usage/port.ts'
import { plainBytes } from '../change-row.ts'
import { dayHours, dayOfHour, isLooseSql, keyBytes, keyFromBytes } from '../usage-row.ts'
import type { Database } from './database.ts'
import { bufferOf, ensureSubjects, pruneLocks } from './usage-writing.ts'

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
           WHERE p.organisation = $1 AND p.source = $2 AND d.hour / ${dayHours} < $3 AND ${isLooseSql('d.')}
           GROUP BY d.partition, d.hour / ${dayHours}, d.subject
           ORDER BY d.partition, d.hour / ${dayHours} DESC, d.subject LIMIT $4) AS found
     JOIN usage_subjects s ON s.id = found.subject
     JOIN usage_digests d ON d.subject = found.subject AND d.partition = found.partition
       AND d.hour >= found.day * ${dayHours} AND d.hour < (found.day + 1) * ${dayHours}
     GROUP BY s.key, found.day, found.subject ORDER BY found.day DESC, found.subject`,
    [organisation, source, dayOfHour(beforeHour), maxDays],
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
  const sent = `unnest($3::bytea[], $4::integer[], $5::bytea[], $6::bytea[]) AS sent (key, day, bytes, summary)
    JOIN usage_subjects s ON s.organisation = $1 AND s.key = sent.key`
  const values = [
    organisation,
    partition,
    keys,
    days.map(({ day }) => day),
    days.map(({ bytes }) => bufferOf(bytes)),
    days.map(({ summary }) => bufferOf(summary)),
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
     SELECT s.id, sent.day * ${dayHours}, $2, 0, 1, sent.bytes FROM ${sent}`,
    values,
  )
  await client.query(
    `DELETE FROM usage_days d USING ${sent} WHERE d.subject = s.id AND d.day = sent.day AND d.partition = $2`,
    values,
  )
  await client.query(
    `INSERT INTO usage_days (subject, day, partition, bytes)
     SELECT s.id, sent.day, $2, sent.summary FROM ${sent} WHERE octet_length(sent.summary) > 0`,
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
  const gone = await client.query<{ subject: number; hour: number; partition: number }>(
    `DELETE FROM usage_digests WHERE ctid IN (
       SELECT ctid FROM usage_digests WHERE partition IN ${own} AND hour < $2 LIMIT $3)
     RETURNING subject, hour, partition`,
    [organisation, before, maxRows],
  )
  await client.query(
    `DELETE FROM usage_days d USING unnest($1::bigint[], $2::integer[], $3::integer[]) AS gone (subject, hour, partition)
     WHERE d.subject = gone.subject AND d.day = gone.hour / ${dayHours} AND d.partition = gone.partition`,
    [
      gone.rows.map(({ subject }) => subject),
      gone.rows.map(({ hour }) => hour),
      gone.rows.map(({ partition }) => partition),
    ],
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
