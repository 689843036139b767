import type { DatabaseSync } from 'node:sqlite'
import type { Checkpoint, JournalEntry, Partition, ReplacedEntries, SubjectRow } from '../../../usage/port.ts'
import { Superseded } from '../../../usage/port.ts'
import { checkText } from '../../storable.ts'
import { checkJournalEntry, checkPartition } from '../../usage-row.ts'
import { nowSql } from '../database.ts'
import { prepareEnsureOrganisation } from '../organisations.ts'
import { sqliteUsageKeeping } from './keeping.ts'

/** Writes of the journal and of checkpoints; inside a transaction. The functions are those of the PostgreSQL store. */
export function sqliteUsageWriting(db: DatabaseSync) {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const keeping = sqliteUsageKeeping(db)
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
  const append = db.prepare(
    'INSERT INTO usage_journal (partition, received_at, format, cluster, body) VALUES (?, ?, ?, ?, ?)',
  )
  const settle = db.prepare(
    `UPDATE usage_partitions SET resume = ?, subjects = ? WHERE id = ? AND epoch = ? RETURNING ${nowSql} / 86400000 AS today`,
  )
  const consume = db.prepare('DELETE FROM usage_journal WHERE sequence = ? AND partition = ?')

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
    appendEntries(entries: readonly JournalEntry[], replaced?: ReplacedEntries): readonly number[] {
      const sequences = entries.map((entry) => {
        checkJournalEntry(entry)
        const { receivedAt, format, cluster, body } = entry
        const partition = ensurePartition(entry.partition)
        return Number(append.run(partition, receivedAt, format, cluster, body).lastInsertRowid)
      })
      if (replaced !== undefined) {
        const id = ensurePartition(replaced.partition)
        for (const sequence of replaced.consumed) consume.run(sequence, id)
      }
      return sequences
    },
    /** Returns today's day, by the clock of the database. */
    commitCheckpoint(
      partition: Partition,
      epoch: number,
      { resume, subjectCount = 0, entities, consumed, forgotten }: Omit<Checkpoint, 'subjects'>,
      subjects: readonly SubjectRow[],
    ): number {
      const id = lockPartition(partition, epoch)
      checkText(resume)
      const { today } = settle.get(resume, subjectCount, id, epoch)!
      for (const row of subjects) keeping.keepSubject(partition.organisation, id, epoch, row)
      for (const row of entities) keeping.keepEntity(id, row)
      for (const sequence of consumed) consume.run(sequence, id)
      for (const key of forgotten) keeping.forgetState(partition.organisation, id, key)
      return Number(today)
    },
  }
}
