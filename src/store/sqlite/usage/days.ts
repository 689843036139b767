import type { DatabaseSync } from 'node:sqlite'
import type { DigestQuery } from '../../../usage/port.ts'
import { dayHours, dayOfHour, hourRange, summaryRange } from '../../usage-row.ts'

export type StoredRow = [partition: number, hour: number, bytes: Uint8Array]

/** Reads what a subject has in a window: summaries of whole days where they are wanted, and rows of all other days. Inside a snapshot. */
export function sqliteSubjectRows(db: DatabaseSync) {
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
  // Bytes of all days come as one: a row for each would cost more than what is in it.
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
    // Several sources of one day are told apart hour by hour.
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
