import pg from 'pg'
import { dayHours } from '../../../domain/time.ts'
import { StoreUnavailable } from '../../port.ts'
import { dayOfHour } from '../../usage-row.ts'
import type { Database } from '../database.ts'
import { removeEndedSubjects } from './retention.ts'
import { daysBefore, dayTable } from './tables.ts'

/** A table for each day, created before it is written to, and dropped when the day is too old. */
export class DayTables {
  readonly #db: Database
  readonly #known = new Set<number>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs a transaction that writes digests of these hours. */
  async write<Result>(hours: Iterable<number>, transaction: () => Promise<Result>): Promise<Result> {
    const days = new Set([...hours].map(dayOfHour))
    await this.#ensure(days)
    try {
      return await transaction()
    } catch (error) {
      if (!lacksTable(error)) throw error
      // Another node dropped the table of a day that this node believed to exist.
      this.#known.clear()
      await this.#ensure(days)
      return transaction()
    }
  }

  /** Days that ended before the hour; returns how many. A table that is being read stays until the next time. */
  async drop(beforeHour: number): Promise<number> {
    let dropped = 0
    for (const day of await daysBefore(this.#db, beforeHour)) {
      await this.#removeSubjectsOf(day)
      try {
        await this.#db.inTransaction(async (client) => {
          await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
          await client.query(`DROP TABLE IF EXISTS ${dayTable('digests', day)}, ${dayTable('days', day)}`)
        })
      } catch (error) {
        if (error instanceof StoreUnavailable) return dropped
        throw error
      }
      this.#known.delete(day)
      dropped++
    }
    return dropped
  }

  /** Also creates the day after the last, so that the first write of a day does not wait for its table. */
  async #ensure(days: ReadonlySet<number>): Promise<void> {
    if (days.size === 0) return
    const missing = [...days, Math.max(...days) + 1].filter((day) => !this.#known.has(day))
    for (const day of missing.sort((a, b) => a - b)) await this.#create(day)
  }

  /** ATTACH PARTITION blocks neither readers nor writers of the other days; CREATE TABLE ... PARTITION OF would. */
  async #create(day: number): Promise<void> {
    await this.#db.inTransaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1, $2)', [dayLocks, 0])
      const table = dayTable('digests', day)
      const { rows } = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table])
      if (rows.length > 0) return
      await client.query(
        `CREATE TABLE ${table} (LIKE usage_digests INCLUDING ALL);
         CREATE TABLE ${dayTable('days', day)} (LIKE usage_days INCLUDING ALL);
         ALTER TABLE usage_digests ATTACH PARTITION ${table}
           FOR VALUES FROM (${day * dayHours}) TO (${(day + 1) * dayHours});
         ALTER TABLE usage_days ATTACH PARTITION ${dayTable('days', day)} FOR VALUES FROM (${day}) TO (${day + 1})`,
      )
    })
    this.#known.add(day)
  }

  /** Removes the subjects of this day that have no later digests, in batches, so that commits do not wait long. */
  async #removeSubjectsOf(day: number): Promise<void> {
    for (let after = 0; ; ) {
      const rows = await this.#db.rows<{ subject: number }>(
        `SELECT DISTINCT subject FROM ${dayTable('digests', day)} WHERE subject > $1 ORDER BY subject LIMIT ${subjectsAtOnce}`,
        [after],
      )
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.subject
      const subjects = rows.map(({ subject }) => subject)
      await this.#db.inTransaction((client) => removeEndedSubjects(client, subjects, (day + 1) * dayHours))
    }
  }
}

const lacksTable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '23514' &&
  /^usage_d(igest|ay)s$/.test(error.table ?? '')

/** Key of our advisory lock: "ud" in ASCII. */
const dayLocks = 0x7564
/** Readers queue behind a statement that waits to drop a table, so it must not wait long. */
const lockTimeoutMs = 1000
const subjectsAtOnce = 1000
