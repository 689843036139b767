import type { DatabaseSync } from 'node:sqlite'
import type { CompactDay, EntityRow, LooseDay, SubjectRow } from '../../../usage/port.ts'
import { plainBytes } from '../../rows.ts'
import { checkText } from '../../storable.ts'
import { dayHours, dayOfHour, isLooseSql, keyBytes, keyFromBytes } from '../../usage-row.ts'

/** Writes and removes what is kept of a partition; inside a transaction. */
export function sqliteUsageKeeping(db: DatabaseSync) {
  const found = db.prepare('SELECT id FROM usage_subjects WHERE organisation = ? AND key = ?')
  const added = db.prepare('INSERT INTO usage_subjects (organisation, key) VALUES (?, ?) RETURNING id')
  const state = db.prepare(
    `INSERT INTO usage_states (partition, subject, state) VALUES (?, ?, ?)
     ON CONFLICT (partition, subject) DO UPDATE SET state = excluded.state`,
  )
  const stateless = db.prepare('DELETE FROM usage_states WHERE partition = ? AND subject = ?')
  const digest = db.prepare(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, hour, partition, epoch, part) DO UPDATE SET bytes = excluded.bytes`,
  )
  const entity = db.prepare(
    `INSERT INTO usage_entities (partition, key, kind, cluster, last_hour, json) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (partition, key) DO UPDATE SET last_hour = excluded.last_hour, json = excluded.json`,
  )
  const selectLooseDays = db.prepare(
    `SELECT d.subject, d.hour / ${dayHours} AS day, s.key FROM usage_digests d JOIN usage_subjects s ON s.id = d.subject
     WHERE d.partition = ? AND d.hour / ${dayHours} < ? AND ${isLooseSql('d.')}
     GROUP BY d.hour / ${dayHours}, d.subject ORDER BY d.hour / ${dayHours} DESC, d.subject LIMIT ?`,
  )
  const rowsOfDay = db.prepare(
    `SELECT bytes FROM usage_digests WHERE subject = ? AND hour >= ? AND hour < ? AND partition = ?
     ORDER BY hour, epoch, part`,
  )
  const dayRemoved = db.prepare(
    'DELETE FROM usage_digests WHERE subject = ? AND hour >= ? AND hour < ? AND partition = ?',
  )
  const summary = db.prepare(
    `INSERT INTO usage_days (subject, day, partition, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject, day, partition) DO UPDATE SET bytes = excluded.bytes`,
  )
  const summaryRemoved = db.prepare('DELETE FROM usage_days WHERE subject = ? AND day = ? AND partition = ?')
  const old = db.prepare(
    `DELETE FROM usage_digests WHERE rowid IN (
       SELECT rowid FROM usage_digests
       WHERE partition IN (SELECT id FROM usage_partitions WHERE organisation = ?) AND hour < ? LIMIT ?)
     RETURNING subject, hour, partition`,
  )
  const goneEntities = db.prepare(
    'DELETE FROM usage_entities WHERE last_hour < ? AND partition IN (SELECT id FROM usage_partitions WHERE organisation = ?)',
  )
  const lives = db.prepare('SELECT 1 FROM usage_digests WHERE subject = ? LIMIT 1')
  const removed = db.prepare('DELETE FROM usage_subjects WHERE id = ?')
  const partitions = db.prepare('SELECT id FROM usage_partitions WHERE organisation = ?')

  const idOf = (organisation: string, key: string) =>
    found.get(organisation, keyBytes(key))?.id as number | undefined
  const ensureId = (organisation: string, key: string): number =>
    idOf(organisation, key) ?? Number(added.get(organisation, keyBytes(key))!.id)

  return {
    keepSubject(organisation: string, partition: number, epoch: number, row: SubjectRow): void {
      const subject = ensureId(organisation, row.key)
      state.run(partition, subject, row.state)
      for (const { hour, part, bytes } of row.digests)
        digest.run(subject, hour, partition, epoch, part, bytes)
    },
    keepEntity(partition: number, row: EntityRow): void {
      checkText(row.cluster)
      checkText(row.json)
      entity.run(partition, keyBytes(row.key), row.kind, row.cluster, row.lastHour, row.json)
    },
    forgetState(organisation: string, partition: number, key: string): void {
      const subject = idOf(organisation, key)
      if (subject !== undefined) stateless.run(partition, subject)
    },
    looseDays(partition: number, beforeHour: number, maxDays: number): LooseDay[] {
      const days = selectLooseDays.all(partition, dayOfHour(beforeHour), maxDays) as {
        subject: number
        day: number
        key: Uint8Array
      }[]
      return days.map(({ subject, day, key }) => ({
        key: keyFromBytes(key),
        day,
        rows: rowsOfDay
          .all(subject, day * dayHours, (day + 1) * dayHours, partition)
          .map(({ bytes }) => plainBytes(bytes as Uint8Array)),
      }))
    },
    writeCompactDay(organisation: string, partition: number, compact: CompactDay): void {
      const subject = ensureId(organisation, compact.key)
      const { day, bytes } = compact
      dayRemoved.run(subject, day * dayHours, (day + 1) * dayHours, partition)
      digest.run(subject, day * dayHours, partition, 0, 1, bytes)
      if (compact.summary.length > 0) summary.run(subject, day, partition, compact.summary)
      else summaryRemoved.run(subject, day, partition)
    },
    prune(organisation: string, beforeHour: number, maxRows: number): number {
      const before = dayOfHour(beforeHour) * dayHours
      const gone = old.all(organisation, before, maxRows)
      for (const { subject, hour, partition } of gone)
        summaryRemoved.run(Number(subject), dayOfHour(Number(hour)), Number(partition))
      const ids = partitions.all(organisation).map(({ id }) => Number(id))
      for (const subject of new Set(gone.map((row) => Number(row.subject)))) {
        if (lives.get(subject) !== undefined) continue
        for (const partition of ids) stateless.run(partition, subject)
        removed.run(subject)
      }
      return gone.length + Number(goneEntities.run(before, organisation).changes)
    },
  }
}
