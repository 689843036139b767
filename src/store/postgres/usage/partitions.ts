import type { PoolClient } from 'pg'
import { type Partition, Superseded } from '../../../usage/port.ts'
import { checkPartition, partitionName } from '../../usage-row.ts'
import { type Database, ensureOrganisation } from '../database.ts'

/** The row of a partition. The shard is part of every key, so that each statement concerns one shard. */
export interface PartitionId {
  readonly id: number
  readonly shard: number
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

/** A pushed request has a part for most shards, so their rows are found by one statement. */
async function ensurePartitions(client: PoolClient, partitions: readonly Partition[]) {
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

/** Key of our advisory locks: "up" in ASCII. */
export const pruneLocks = 0x7570
