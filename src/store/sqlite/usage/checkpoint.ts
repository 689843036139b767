import type { DatabaseSync } from 'node:sqlite'
import type { Checkpoint, EntityRow, Partition, SubjectRow } from '../../../usage/port.ts'
import { checkText } from '../../storable.ts'
import { keyBytes, lateDaysOf, type SubjectDay } from '../../usage-row.ts'
import { nowSql } from '../database.ts'
import type { SqliteJournal } from './journal.ts'
import type { SqlitePartitions } from './partitions.ts'

/** Commits checkpoints, which consume the journal. Runs inside a transaction. */
export function sqliteCheckpoint(
  db: DatabaseSync,
  { lockPartition }: SqlitePartitions,
  { consumeEntries }: SqliteJournal,
) {
  const updatePartition = db.prepare(
    `UPDATE usage_partitions SET resume = ?, subjects = ? WHERE id = ? AND epoch = ? RETURNING ${nowSql} / 86400000 AS today`,
  )
  const markLate = db.prepare(`UPDATE usage_partitions SET late_at = ${nowSql} WHERE id = ? AND epoch = ?`)
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
    ensureSubject,
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
      consumeEntries(id, consumed)
      for (const key of forgotten) forgetState(partition.organisation, id, key)
      const lateDays = lateDaysOf(subjects, Number(today))
      if (lateDays.length > 0) markLate.run(id, epoch)
      return lateDays
    },
  }
}
