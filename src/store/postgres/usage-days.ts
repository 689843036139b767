import type { DigestQuery, StoredSubject } from '../../usage/port.ts'
import { plainBytes } from '../change-row.ts'
import { dayHours, dayOfHour, hourRange, summaryRange } from '../usage-row.ts'
import type { Database } from './database.ts'

interface Subject {
  readonly id: number
  readonly key: string
}

interface StoredRow {
  readonly subject: number
  readonly hour: number
  readonly source: string
  readonly bytes: Uint8Array
}

/** Reads what subjects have in a window: summaries of whole days where they are wanted, and rows of all other days. */
export async function postgresSubjectRows(
  db: Database,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<StoredSubject[]> {
  if (subjects.length === 0) return []
  // Rows first: a day that becomes one row meanwhile comes in both ways, and in neither if summaries were read first.
  const besides = await rowsBesides(db, subjects, query)
  const { days, several } = await summariesOf(db, subjects, query)
  const rows = Map.groupBy(
    several.size === 0
      ? besides
      : [
          ...besides.filter(({ subject }) => !several.has(subject)),
          ...(await rowsOf(db, [...several], query, noDays)),
        ],
    ({ subject }) => subject,
  )
  return subjects.flatMap(({ id, key }) => {
    const own = { rows: rows.get(id) ?? [], days: days.get(id) ?? new Uint8Array() }
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

/** By subject; several sources of one day are told apart hour by hour, so subjects that have them have no summaries. */
async function summariesOf(
  db: Database,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<{ readonly days: ReadonlyMap<number, Uint8Array>; readonly several: ReadonlySet<number> }> {
  const { from, to } = summaryRange(query)
  if (from === to) return { days: new Map(), several: new Set() }
  const rows = await db.rows<{ subject: number; one: boolean; bytes: Uint8Array }>(
    `SELECT subject, min(partition) = max(partition) AS one, string_agg(bytes, ''::bytea ORDER BY day) AS bytes
     FROM usage_days WHERE subject = ANY ($1::bigint[]) AND day >= $2 AND day < $3 GROUP BY subject`,
    [subjects.map(({ id }) => id), from, to],
  )
  return {
    days: new Map(rows.filter(({ one }) => one).map(({ subject, bytes }) => [subject, bytes])),
    several: new Set(rows.filter(({ one }) => !one).map(({ subject }) => subject)),
  }
}

/** Rows of days without a summary, and of days that have loose rows besides. */
async function rowsBesides(
  db: Database,
  subjects: readonly Subject[],
  query: DigestQuery,
): Promise<StoredRow[]> {
  const summed = summaryRange(query)
  const rows = await rowsOf(
    db,
    subjects.map(({ id }) => id),
    query,
    summed,
  )
  const loose = new Map<string, { readonly subject: number; readonly day: number }>()
  const keyOf = ({ subject, hour }: StoredRow) => `${subject} ${dayOfHour(hour)}`
  for (const row of rows) {
    const day = dayOfHour(row.hour)
    if (day >= summed.from && day < summed.to) loose.set(keyOf(row), { subject: row.subject, day })
  }
  if (loose.size === 0) return rows
  const whole = await db.rows<StoredRow>(
    `SELECT d.subject, d.hour, p.source, d.bytes
     FROM unnest($1::bigint[], $2::integer[]) AS loose (subject, day)
     JOIN usage_digests d ON d.subject = loose.subject
       AND d.hour >= loose.day * ${dayHours} AND d.hour < (loose.day + 1) * ${dayHours}
     JOIN usage_partitions p ON p.id = d.partition
     ORDER BY d.subject, d.hour, d.partition, d.epoch, d.part`,
    [[...loose.values()].map(({ subject }) => subject), [...loose.values()].map(({ day }) => day)],
  )
  return [...rows.filter((row) => !loose.has(keyOf(row))), ...whole].sort(
    (a, b) => dayOfHour(a.hour) - dayOfHour(b.hour),
  )
}

function rowsOf(
  db: Database,
  subjects: readonly number[],
  query: DigestQuery,
  without: { readonly from: number; readonly to: number },
): Promise<StoredRow[]> {
  const { day, from, to } = hourRange(query)
  return db.rows<StoredRow>(
    `SELECT d.subject, d.hour, p.source, d.bytes FROM usage_digests d JOIN usage_partitions p ON p.id = d.partition
     WHERE d.subject = ANY ($1::bigint[]) AND d.hour >= $2 AND d.hour < $4 AND (d.epoch = 0 OR d.hour >= $3)
       AND NOT (d.epoch = 0 AND d.part = 1 AND d.hour >= $5 AND d.hour < $6)
     ORDER BY d.subject, d.hour, d.partition, d.epoch, d.part`,
    [subjects, day, from, to, without.from * dayHours, without.to * dayHours],
  )
}

const noDays = { from: 0, to: 0 } as const
