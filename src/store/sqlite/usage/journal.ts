import type { DatabaseSync } from 'node:sqlite'
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
import { checkJournalEntry, checkPartition, keyBytes, lateDaysOf, type SubjectDay } from '../../usage-row.ts'
import { nowSql } from '../database.ts'
import { prepareEnsureOrganisation } from '../organisations.ts'

/** Appends to the journal, and commits checkpoints, which consume it. All methods run inside a transaction. */
export function sqliteJournal(db: DatabaseSync) {
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
  const append = db.prepare(
    'INSERT INTO usage_journal (partition, received_at, format, cluster, body) VALUES (?, ?, ?, ?, ?)',
  )
  const updatePartition = db.prepare(
    `UPDATE usage_partitions SET resume = ?, subjects = ? WHERE id = ? AND epoch = ? RETURNING ${nowSql} / 86400000 AS today`,
  )
  const markLate = db.prepare(`UPDATE usage_partitions SET late_at = ${nowSql} WHERE id = ? AND epoch = ?`)
  const consume = db.prepare('DELETE FROM usage_journal WHERE sequence = ? AND partition = ?')
  const findSubjectId = db.prepare('SELECT id FROM usage_subjects WHERE organisation = ? AND key = ?')
  const insertSubject = db.prepare(
    'INSERT INTO usage_subjects (organisation, key) VALUES (?, ?) RETURNING id',
  )
  const upsertState = db.prepare(
    `INSERT INTO usage_states (partition, subject, state) VALUES (?, ?, ?)
     ON CONFLICT (partition, subject) DO UPDATE SET state = excluded.state`,
  )
  const deleteState = db.prepare('DELETE FROM usage_states WHERE partition = ? AND subject = ?')
  const upsertDigest = db.prepare(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, hour, partition, epoch, part) DO UPDATE SET bytes = excluded.bytes`,
  )
  const upsertEntity = db.prepare(
    `INSERT INTO usage_entities (partition, key, kind, cluster, last_hour, json) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (partition, key) DO UPDATE SET last_hour = excluded.last_hour, json = excluded.json`,
  )

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

  const findSubject = (organisation: string, key: string) =>
    findSubjectId.get(organisation, keyBytes(key))?.id as number | undefined

  const ensureSubject = (organisation: string, key: string): number =>
    findSubject(organisation, key) ?? Number(insertSubject.get(organisation, keyBytes(key))!.id)

  function writeSubject(organisation: string, partition: number, epoch: number, row: SubjectRow): void {
    const subject = ensureSubject(organisation, row.key)
    upsertState.run(partition, subject, row.state)
    for (const { hour, part, bytes } of row.digests)
      upsertDigest.run(subject, hour, partition, epoch, part, bytes)
  }

  function writeEntity(partition: number, row: EntityRow): void {
    checkText(row.cluster)
    checkText(row.json)
    upsertEntity.run(partition, keyBytes(row.key), row.kind, row.cluster, row.lastHour, row.json)
  }

  function forgetState(organisation: string, partition: number, key: string): void {
    const subject = findSubject(organisation, key)
    if (subject !== undefined) deleteState.run(partition, subject)
  }

  return {
    findPartition,
    ensurePartition,
    ensureSubject,
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
    /** Returns the days of digests that are committed late; see lateDaysOf. */
    commitCheckpoint(
      partition: Partition,
      epoch: number,
      { resume, subjectCount = 0, entities, consumed, forgotten }: Omit<Checkpoint, 'subjects'>,
      subjects: readonly SubjectRow[],
    ): SubjectDay[] {
      const id = lockPartition(partition, epoch)
      checkText(resume)
      const { today } = updatePartition.get(resume, subjectCount, id, epoch)!
      for (const row of subjects) writeSubject(partition.organisation, id, epoch, row)
      for (const row of entities) writeEntity(id, row)
      for (const sequence of consumed) consume.run(sequence, id)
      for (const key of forgotten) forgetState(partition.organisation, id, key)
      const lateDays = lateDaysOf(subjects, Number(today))
      if (lateDays.length > 0) markLate.run(id, epoch)
      return lateDays
    },
  }
}
