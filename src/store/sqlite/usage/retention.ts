import type { DatabaseSync } from 'node:sqlite'
import { dayHours } from '../../../domain/time.ts'
import type { CompactDay, LooseDay } from '../../../usage/port.ts'
import { plainBytes } from '../../storable.ts'
import { dayOfHour, isLooseSql, keyFromBytes } from '../../usage-row.ts'

/** Merges each finished day into one row, and removes what is too old. Runs inside a transaction. */
export function sqliteRetention(
  db: DatabaseSync,
  ensureSubject: (organisation: string, key: string) => number,
) {
  const stateless = db.prepare('DELETE FROM usage_states WHERE partition = ? AND subject = ?')
  const digest = db.prepare(
    `INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, hour, partition, epoch, part) DO UPDATE SET bytes = excluded.bytes`,
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

  return {
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
      const subject = ensureSubject(organisation, compact.key)
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
