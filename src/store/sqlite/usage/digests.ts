import type { DatabaseSync } from 'node:sqlite'
import { dayHours } from '../../../domain/time.ts'
import type { DigestQuery, StoredSubject } from '../../../usage/port.ts'
import {
  dayOfHour,
  hourRange,
  keyFromBytes,
  keyRange,
  matchesQuery,
  namedKeys,
  summaryRange,
} from '../../usage-row.ts'
import { inSnapshot } from '../database.ts'

/** Subjects and their rows as a few large arrays, so that few copies are needed to pass them between threads. */
export interface DigestPage {
  readonly keys: readonly string[]
  /** Number of rows of each subject. */
  readonly counts: readonly number[]
  readonly sources: readonly string[]
  /** For each row: the index of its source, and its length in bytes. */
  readonly sourceOf: Uint16Array
  readonly lengths: Uint32Array
  /** For each subject, the bytes of its day summaries, which follow its rows. */
  readonly dayLengths: Uint32Array
  readonly bytes: Uint8Array
  /** The last key that was read; absent at the end. */
  readonly next?: string
}

interface SubjectRows {
  readonly key: string
  readonly rows: readonly StoredRow[]
  readonly days: Uint8Array
}

export function sqliteDigests(db: DatabaseSync) {
  const subjects = db.prepare(
    'SELECT id, key FROM usage_subjects WHERE organisation = ? AND key >= ? AND key > ? AND key < ? ORDER BY key LIMIT ?',
  )
  const subject = db.prepare('SELECT id, key FROM usage_subjects WHERE organisation = ? AND key = ?')
  const rowsOf = sqliteSubjectRows(db)
  const sourceOf = db.prepare('SELECT source FROM usage_partitions WHERE id = ?')

  return (organisation: string, query: DigestQuery, after: string | undefined): DigestPage =>
    inSnapshot(db, () => pageAfter(organisation, query, after))

  function pageAfter(organisation: string, query: DigestQuery, after: string | undefined): DigestPage {
    const { from, to } = keyRange(query)
    const found = (
      query.keys === undefined
        ? subjects.all(organisation, from, Buffer.from(after ?? ''), to, pageLength)
        : namedKeys(query, after)
            .map((key) => subject.get(organisation, key))
            .filter((row) => row !== undefined)
    ) as { id: number; key: Uint8Array }[]
    const read: SubjectRows[] = []
    let size = 0
    let next =
      query.keys === undefined && found.length === pageLength ? keyFromBytes(found.at(-1)!.key) : undefined
    for (const { id, key: bytes } of found) {
      const key = keyFromBytes(bytes)
      if (!matchesQuery(key, query)) continue
      const { rows, days } = rowsOf(id, query)
      if (rows.length > 0 || days.length > 0) read.push({ key, rows, days })
      size += days.length
      for (const row of rows) size += row[2].length
      if (size < pageBytes) continue
      next = key
      break
    }
    const { partitions, ...columns } = sideBySide(read, size)
    const sources = partitions.map((id) => String(sourceOf.get(id)!.source))
    return { sources, ...columns, ...(next === undefined ? {} : { next }) }
  }
}

type StoredRow = [partition: number, hour: number, bytes: Uint8Array]

/** Summaries of whole days if the query asks for them, and rows of all other days. Runs inside a snapshot. */
function sqliteSubjectRows(db: DatabaseSync) {
  const select = (condition: string) => {
    const statement = db.prepare(
      `SELECT partition, hour, bytes FROM usage_digests WHERE subject = ?1 AND ${condition}
       ORDER BY hour, partition, epoch, part`,
    )
    statement.setReturnArrays(true)
    return statement
  }
  const rowsOf = select(
    `hour >= ?2 AND hour < ?4 AND (epoch = 0 OR hour >= ?3)
     AND NOT (epoch = 0 AND part = 1 AND hour >= ?5 AND hour < ?6)`,
  )
  const rowsOfDay = select('hour >= ?2 AND hour < ?3')
  // The bytes of all days are concatenated: a row for each would cost more than its content.
  const daysOf = db.prepare(
    `SELECT min(partition), max(partition), CAST(group_concat(bytes, '') AS BLOB) FROM usage_days
     WHERE subject = ? AND day >= ? AND day < ?`,
  )
  daysOf.setReturnArrays(true)

  return (subject: number, query: DigestQuery): { rows: StoredRow[]; days: Uint8Array } => {
    const hours = hourRange(query)
    const { from, to } = summaryRange(query)
    const rowsWithout = (fromDay: number, toDay: number): StoredRow[] =>
      rowsOf.all(
        subject,
        hours.day,
        hours.from,
        hours.to,
        fromDay * dayHours,
        toDay * dayHours,
      ) as unknown as StoredRow[]
    if (from === to) return { rows: rowsWithout(0, 0), days: noBytes }
    const rows = rowsWithout(from, to)
    const [least, greatest, days] = daysOf.get(subject, from, to) as unknown as SummariesOf
    if (days === null) return { rows, days: noBytes }
    // If several sources reported on one day, the choice between them is made for each hour, so no summaries are used.
    if (least !== greatest) return { rows: rowsWithout(0, 0), days: noBytes }
    const loose = new Set(rows.map(([, hour]) => dayOfHour(hour)).filter((day) => day >= from && day < to))
    if (loose.size === 0) return { rows, days }
    const whole = [...loose].flatMap(
      (day) => rowsOfDay.all(subject, day * dayHours, (day + 1) * dayHours) as unknown as StoredRow[],
    )
    const others = rows.filter(([, hour]) => !loose.has(dayOfHour(hour)))
    return { rows: [...others, ...whole].sort((a, b) => dayOfHour(a[1]) - dayOfHour(b[1])), days }
  }
}

type SummariesOf = [least: number | null, greatest: number | null, bytes: Uint8Array | null]

const noBytes = new Uint8Array()

export function* subjectsIn(page: DigestPage): Generator<StoredSubject> {
  let row = 0
  let offset = 0
  for (const [index, key] of page.keys.entries()) {
    const rows = Array.from({ length: page.counts[index]! }, () => {
      const source = page.sources[page.sourceOf[row]!]!
      const bytes = page.bytes.subarray(offset, offset + page.lengths[row]!)
      offset += page.lengths[row]!
      row++
      return { source, bytes }
    })
    const days = page.bytes.subarray(offset, offset + page.dayLengths[index]!)
    offset += days.length
    yield { key, rows, days }
  }
}

function sideBySide(read: readonly SubjectRows[], size: number) {
  const partitions: number[] = []
  const counts = read.map(({ rows }) => rows.length)
  const rowCount = counts.reduce((sum, count) => sum + count, 0)
  const [sourceOf, lengths] = [new Uint16Array(rowCount), new Uint32Array(rowCount)]
  const dayLengths = Uint32Array.from(read, ({ days }) => days.length)
  const bytes = new Uint8Array(size)
  let [offset, index] = [0, 0]
  for (const { rows, days } of read) {
    for (const [partition, , own] of rows) {
      let place = partitions.lastIndexOf(partition)
      if (place < 0) place = partitions.push(partition) - 1
      sourceOf[index] = place
      lengths[index++] = own.length
      bytes.set(own, offset)
      offset += own.length
    }
    bytes.set(days, offset)
    offset += days.length
  }
  return { keys: read.map(({ key }) => key), counts, partitions, sourceOf, lengths, dayLengths, bytes }
}

const pageLength = 256
const pageBytes = 2 << 20
