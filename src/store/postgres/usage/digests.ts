import { dayHours } from '../../../domain/time.ts'
import type { DigestQuery, StoredSubject, UsageStore } from '../../../usage/port.ts'
import { plainBytes } from '../../storable.ts'
import {
  dayOfHour,
  hourRange,
  keyFromBytes,
  keyRange,
  matchesQuery,
  namedKeys,
  summaryRange,
} from '../../usage-row.ts'
import type { Database } from '../database.ts'
import type { ReadingDatabase } from '../replica.ts'

type Reading = Pick<Database, 'rows'>

/** A database, or a replica of it. */
export type UsageReading = Reading & Partial<Pick<ReadingDatabase, 'pinned'>>

/** Reads page by page, so that no connection is held while the caller processes a page. */
export function postgresDigests(reading: UsageReading): UsageStore['digests'] {
  return async function* digests(organisation, query) {
    const db = reading.pinned?.() ?? reading
    const { from, to } = keyRange(query)
    let after: Uint8Array = Buffer.from(query.after ?? '')
    if (query.keys !== undefined) {
      const named = await db.rows<SubjectIds>(
        `SELECT key, array_agg(id) AS ids FROM usage_subjects
         WHERE organisation = $1 AND key = ANY ($2::bytea[]) GROUP BY key ORDER BY key`,
        [organisation, namedKeys(query, query.after)],
      )
      yield* await readSubjects(db, named, query)
      return
    }
    for (let more = true; more; ) {
      const subjects = await db.rows<SubjectIds>(
        `SELECT key, array_agg(id) AS ids FROM usage_subjects
         WHERE organisation = $1 AND key >= $2 AND key > $3 AND key < $4
         GROUP BY key ORDER BY key LIMIT ${pageLength}`,
        [organisation, from, after, to],
      )
      more = subjects.length === pageLength
      after = subjects.at(-1)?.key ?? after
      yield* await readSubjects(db, subjects, query)
    }
  }
}

/** A subject has one row for each shard that ever held it, because its shard changes with the number of shards. */
interface SubjectIds {
  readonly key: Buffer
  readonly ids: readonly number[]
}

function readSubjects(
  db: Reading,
  subjects: readonly SubjectIds[],
  query: DigestQuery,
): Promise<StoredSubject[]> {
  const asked = subjects
    .map(({ key, ids }) => ({ key: keyFromBytes(key), ids: ids.map(Number) }))
    .filter(({ key }) => matchesQuery(key, query))
  return postgresSubjectRows(db, asked, query)
}

const pageLength = 256

interface Subject {
  readonly ids: readonly number[]
  readonly key: string
}

interface StoredRow {
  readonly subject: number
  readonly hour: number
  readonly source: string
  readonly bytes: Uint8Array
}

/** Summaries of whole days if the query asks for them, and rows of all other days. */
async function postgresSubjectRows(
  db: Reading,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<StoredSubject[]> {
  if (subjects.length === 0) return []
  const keyOf = new Map(subjects.flatMap(({ key, ids }) => ids.map((id) => [id, key] as const)))
  // Rows are read first. A day that is compacted meanwhile is then returned both ways; with summaries first it could be
  // missing.
  const otherRows = await rowsWithoutSummary(db, subjects, query)
  const { days, several } = await summariesOf(db, subjects, query)
  const again = subjects.filter(({ key }) => several.has(key)).flatMap(({ ids }) => ids)
  const rows = Map.groupBy(
    again.length === 0
      ? otherRows
      : [
          ...otherRows.filter(({ subject }) => !several.has(keyOf.get(subject)!)),
          ...(await rowsOf(db, again, query, noDays)),
        ],
    ({ subject }) => keyOf.get(subject)!,
  )
  return subjects.flatMap(({ key }) => {
    const own = { rows: rows.get(key) ?? [], days: days.get(key) ?? new Uint8Array() }
    if (own.rows.length === 0 && own.days.length === 0) return []
    return [
      {
        key,
        rows: own.rows.map(({ source, bytes }) => ({ source, bytes: plainBytes(bytes) })),
        days: plainBytes(own.days),
      },
    ]
  })
}

/** If several sources reported on a day, the choice is made for each hour, so summaries of that subject are not used. */
async function summariesOf(
  db: Reading,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<{ readonly days: ReadonlyMap<string, Uint8Array>; readonly several: ReadonlySet<string> }> {
  const { from, to } = summaryRange(query)
  if (from === to) return { days: new Map(), several: new Set() }
  const ids = subjects.flatMap((subject, place) => subject.ids.map((id) => ({ id, place })))
  const rows = await db.rows<{ place: number; one: boolean; bytes: Uint8Array }>(
    `SELECT asked.place, count(*) = count(DISTINCT d.day) AS one, string_agg(d.bytes, ''::bytea ORDER BY d.day) AS bytes
     FROM unnest($1::bigint[], $2::integer[]) AS asked (subject, place) JOIN usage_days d ON d.subject = asked.subject
     WHERE d.subject = ANY ($1::bigint[]) AND d.day >= $3 AND d.day < $4 GROUP BY asked.place`,
    [ids.map(({ id }) => id), ids.map(({ place }) => place), from, to],
  )
  const keyAt = (place: number): string => subjects[place]!.key
  return {
    days: new Map(rows.filter(({ one }) => one).map(({ place, bytes }) => [keyAt(place), bytes])),
    several: new Set(rows.filter(({ one }) => !one).map(({ place }) => keyAt(place))),
  }
}

/**
 * Returns the rows of days without a summary, and of days that have loose rows in addition to it. If any of a subject's
 * shards has loose rows on a day, the rows of all its shards are returned, because its summaries of that day are not used.
 */
async function rowsWithoutSummary(
  db: Reading,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<StoredRow[]> {
  const summed = summaryRange(query)
  const rows = await rowsOf(
    db,
    subjects.flatMap(({ ids }) => ids),
    query,
    summed,
  )
  const subjectOf = new Map(subjects.flatMap((subject) => subject.ids.map((id) => [id, subject] as const)))
  const loose = new Map<string, { readonly subject: Subject; readonly day: number }>()
  const dayKey = (row: StoredRow) => `${dayOfHour(row.hour)} ${subjectOf.get(row.subject)!.key}`
  for (const row of rows) {
    const day = dayOfHour(row.hour)
    if (day >= summed.from && day < summed.to)
      loose.set(dayKey(row), { subject: subjectOf.get(row.subject)!, day })
  }
  if (loose.size === 0) return rows
  const looseIds = [...loose.values()].flatMap(({ subject, day }) => subject.ids.map((id) => ({ id, day })))
  const days = looseIds.map(({ day }) => day)
  const whole = await db.rows<StoredRow>(
    `SELECT d.subject, d.hour, p.source, d.bytes
     FROM unnest($1::bigint[], $2::integer[]) AS loose (subject, day)
     JOIN usage_digests d ON d.subject = loose.subject
       AND d.hour >= loose.day * ${dayHours} AND d.hour < (loose.day + 1) * ${dayHours}
     JOIN usage_partitions p ON p.id = d.partition AND p.shard = d.shard
     WHERE d.subject = ANY ($1::bigint[]) AND d.hour >= $3 AND d.hour < $4
     ORDER BY d.hour, d.partition, d.epoch, d.part`,
    [looseIds.map(({ id }) => id), days, Math.min(...days) * dayHours, (Math.max(...days) + 1) * dayHours],
  )
  return [...rows.filter((row) => !loose.has(dayKey(row))), ...whole].sort(
    (a, b) => dayOfHour(a.hour) - dayOfHour(b.hour),
  )
}

function rowsOf(
  db: Reading,
  subjects: readonly number[],
  query: DigestQuery,
  without: { readonly from: number; readonly to: number },
): Promise<StoredRow[]> {
  const { day, from, to } = hourRange(query)
  return db.rows<StoredRow>(
    `SELECT d.subject, d.hour, p.source, d.bytes FROM usage_digests d
     JOIN usage_partitions p ON p.id = d.partition AND p.shard = d.shard
     WHERE d.subject = ANY ($1::bigint[]) AND d.hour >= $2 AND d.hour < $4 AND (d.epoch = 0 OR d.hour >= $3)
       AND NOT (d.epoch = 0 AND d.part = 1 AND d.hour >= $5 AND d.hour < $6)
     ORDER BY d.hour, d.partition, d.epoch, d.part`,
    [subjects, day, from, to, without.from * dayHours, without.to * dayHours],
  )
}

const noDays = { from: 0, to: 0 } as const
