import type { PoolClient } from 'pg'
import type { Checkpoint, JournalEntry, Partition, SubjectRow } from '../../usage/port.ts'
import { Superseded } from '../../usage/port.ts'
import { checkText } from '../storable.ts'
import { checkJournalEntry, checkPartition, keyBytes, partitionName, partitionsOf } from '../usage-row.ts'
import { ensureOrganisation } from './organisations.ts'

/**
 * Appenders of one partition take turns, so that sequence numbers become visible in their order: who has read up to
 * one never misses an earlier one.
 */
export async function appendEntries(client: PoolClient, entries: readonly JournalEntry[]): Promise<void> {
  entries.forEach(checkJournalEntry)
  const ids = new Map<string, number>()
  for (const partition of partitionsOf(entries))
    ids.set(partitionName(partition), await ensurePartition(client, partition))
  for (const id of [...ids.values()].sort((a, b) => a - b))
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [journalLocks, id])
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    const rows = entries.slice(from, from + entriesAtOnce)
    const marks = rows.map(
      (_, row) => `($${5 * row + 1}, $${5 * row + 2}, $${5 * row + 3}, $${5 * row + 4}, $${5 * row + 5})`,
    )
    await client.query(
      `INSERT INTO usage_journal (partition, received_at, format, cluster, body) VALUES ${marks.join(', ')}`,
      rows.flatMap(({ partition, receivedAt, format, cluster, body }) => [
        ids.get(partitionName(partition)),
        receivedAt,
        format,
        cluster,
        bufferOf(body),
      ]),
    )
  }
}

export async function ensurePartition(client: PoolClient, partition: Partition): Promise<number> {
  checkPartition(partition)
  const { organisation, source } = partition
  const find = () =>
    client.query<{ id: number }>('SELECT id FROM usage_partitions WHERE organisation = $1 AND source = $2', [
      organisation,
      source,
    ])
  const known = (await find()).rows[0]
  if (known !== undefined) return known.id
  await ensureOrganisation(client, organisation)
  await client.query(
    `INSERT INTO usage_partitions (organisation, source, epoch, resume) VALUES ($1, $2, 0, '')
     ON CONFLICT (organisation, source) DO NOTHING`,
    [organisation, source],
  )
  return (await find()).rows[0]!.id
}

export async function openPartition(
  client: PoolClient,
  id: number,
): Promise<{ epoch: number; resume: string }> {
  const { rows } = await client.query<{ epoch: number; resume: string }>(
    'UPDATE usage_partitions SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch, resume',
    [id],
  )
  return rows[0]!
}

/** Inside a transaction: the partition is ours until its end, and nothing of the organisation is pruned meanwhile. */
export async function lockPartition(
  client: PoolClient,
  partition: Partition,
  epoch: number,
): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [
    pruneLocks,
    partition.organisation,
  ])
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM usage_partitions WHERE organisation = $1 AND source = $2 AND epoch = $3 FOR UPDATE',
    [partition.organisation, partition.source, epoch],
  )
  if (rows[0] === undefined) throw new Superseded('another node took over')
  return rows[0].id
}

export async function commitCheckpoint(
  client: PoolClient,
  partition: Partition,
  epoch: number,
  checkpoint: Checkpoint,
): Promise<void> {
  const { organisation } = partition
  const id = await lockPartition(client, partition, epoch)
  checkText(checkpoint.resume)
  await client.query('UPDATE usage_partitions SET resume = $1 WHERE id = $2', [checkpoint.resume, id])
  // Always in the same order, so that commits of two partitions cannot wait for each other.
  const rows = checkpoint.subjects
    .map((row) => ({ ...row, bytes: keyBytes(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  for (let from = 0; from < rows.length; from += subjectsAtOnce)
    await keepSubjects(client, organisation, id, epoch, rows.slice(from, from + subjectsAtOnce))
  for (const row of checkpoint.entities) {
    checkText(row.cluster)
    checkText(row.json)
  }
  for (let from = 0; from < checkpoint.entities.length; from += subjectsAtOnce) {
    const entities = checkpoint.entities.slice(from, from + subjectsAtOnce)
    await client.query(
      `INSERT INTO usage_entities (partition, key, kind, cluster, last_hour, json)
       SELECT $1, * FROM unnest($2::bytea[], $3::text[], $4::text[], $5::integer[], $6::text[])
       ON CONFLICT (partition, key) DO UPDATE SET last_hour = excluded.last_hour, json = excluded.json`,
      [
        id,
        entities.map((row) => keyBytes(row.key)),
        entities.map((row) => row.kind),
        entities.map((row) => row.cluster),
        entities.map((row) => row.lastHour),
        entities.map((row) => row.json),
      ],
    )
  }
  await client.query('DELETE FROM usage_journal WHERE sequence = ANY ($1::bigint[]) AND partition = $2', [
    checkpoint.consumed,
    id,
  ])
  await client.query(
    `DELETE FROM usage_states t USING usage_subjects s
     WHERE t.partition = $1 AND t.subject = s.id AND s.organisation = $2 AND s.key = ANY ($3::bytea[])`,
    [id, organisation, checkpoint.forgotten.map(keyBytes)],
  )
}

async function keepSubjects(
  client: PoolClient,
  organisation: string,
  partition: number,
  epoch: number,
  rows: readonly (SubjectRow & { bytes: Buffer })[],
): Promise<void> {
  const keys = rows.map(({ bytes }) => bytes)
  await ensureSubjects(client, organisation, keys)
  await client.query(
    `INSERT INTO usage_states (partition, subject, state)
     SELECT $1, s.id, sent.state FROM unnest($3::bytea[], $4::bytea[]) AS sent (key, state)
     JOIN usage_subjects s ON s.organisation = $2 AND s.key = sent.key
     ON CONFLICT (partition, subject) DO UPDATE SET state = excluded.state`,
    [partition, organisation, keys, rows.map(({ state }) => bufferOf(state))],
  )
  const digests = rows.flatMap((row) => row.digests.map((digest) => ({ ...digest, key: row.bytes })))
  await client.query(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes)
     SELECT s.id, sent.hour, $1, $3, sent.part, sent.bytes
     FROM unnest($4::bytea[], $5::integer[], $6::integer[], $7::bytea[]) AS sent (key, hour, part, bytes)
     JOIN usage_subjects s ON s.organisation = $2 AND s.key = sent.key
     ON CONFLICT (subject, hour, partition, epoch, part) DO UPDATE SET bytes = excluded.bytes`,
    [
      partition,
      organisation,
      epoch,
      digests.map(({ key }) => key),
      digests.map(({ hour }) => hour),
      digests.map(({ part }) => part),
      digests.map(({ bytes }) => bufferOf(bytes)),
    ],
  )
}

export async function ensureSubjects(
  client: PoolClient,
  organisation: string,
  keys: readonly Buffer[],
): Promise<void> {
  await client.query(
    `INSERT INTO usage_subjects (organisation, key)
     SELECT $1, key FROM unnest($2::bytea[]) AS sent (key)
     WHERE NOT EXISTS (SELECT 1 FROM usage_subjects s WHERE s.organisation = $1 AND s.key = sent.key)
     ORDER BY key ON CONFLICT (organisation, key) DO NOTHING`,
    [organisation, keys],
  )
}

export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const entriesAtOnce = 100
const subjectsAtOnce = 500

/** Our advisory locks: "uj" and "up" in ASCII. */
const journalLocks = 0x756a
export const pruneLocks = 0x7570
