import type { DatabaseSync } from 'node:sqlite'
import { type Partition, Superseded } from '../../../usage/port.ts'
import { checkPartition } from '../../usage-row.ts'
import { prepareEnsureOrganisation } from '../database.ts'

export type SqlitePartitions = ReturnType<typeof sqlitePartitions>

/** Finds, opens and locks the rows of partitions. Runs inside a transaction. */
export function sqlitePartitions(db: DatabaseSync) {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const find = db.prepare(
    'SELECT id FROM usage_partitions WHERE organisation = ? AND source = ? AND shard = ?',
  )
  const insert = db.prepare(
    `INSERT INTO usage_partitions (organisation, source, shard, epoch, resume) VALUES (?, ?, ?, 0, '') RETURNING id`,
  )
  const open = db.prepare(
    'UPDATE usage_partitions SET epoch = epoch + 1 WHERE id = ? RETURNING epoch, resume',
  )
  const lock = db.prepare('SELECT 1 FROM usage_partitions WHERE id = ? AND epoch = ?')

  const findPartition = ({ organisation, source, shard = 0 }: Partition) =>
    find.get(organisation, source, shard)?.id as number | undefined

  function ensurePartition(partition: Partition): number {
    checkPartition(partition)
    const known = findPartition(partition)
    if (known !== undefined) return known
    ensureOrganisation(partition.organisation)
    return Number(insert.get(partition.organisation, partition.source, partition.shard ?? 0)!.id)
  }

  function lockPartition(partition: Partition, epoch: number): number {
    const id = findPartition(partition)
    if (id === undefined || lock.get(id, epoch) === undefined) throw new Superseded('another node took over')
    return id
  }

  return {
    findPartition,
    ensurePartition,
    lockPartition,
    openPartition(id: number): { epoch: number; resume: string } {
      const { epoch, resume } = open.get(id)!
      return { epoch: Number(epoch), resume: String(resume) }
    },
  }
}
