import type { DatabaseSync } from 'node:sqlite'
import type { AnswerStore } from '../port.ts'
import { plainBytes } from '../rows.ts'
import { checkAnswer, isStorable } from '../storable.ts'
import { inTransaction } from './database.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteAnswers(db: DatabaseSync): Synchronous<AnswerStore> {
  const read = db.prepare(
    `SELECT computed_at, good_until, bytes FROM answers
     WHERE organisation = ? AND name = ? AND basis = ? AND good_until > ?`,
  )
  const write = db.prepare(
    `INSERT INTO answers (organisation, name, basis, computed_at, good_until, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (organisation, name) DO UPDATE SET
       basis = excluded.basis, computed_at = excluded.computed_at, good_until = excluded.good_until, bytes = excluded.bytes
     WHERE answers.computed_at <= excluded.computed_at`,
  )
  const removeOld = db.prepare(
    `DELETE FROM answers WHERE organisation = ?1 AND (good_until <= ?2 OR name NOT IN (
       SELECT name FROM answers WHERE organisation = ?1 ORDER BY computed_at DESC, name LIMIT ?3))`,
  )
  return {
    read: (organisation, name, basis, at) => {
      if (![organisation, name, basis].every(isStorable)) return undefined
      const row = read.get(organisation, name, basis, at)
      return (
        row && {
          computedAt: Number(row.computed_at),
          goodUntil: Number(row.good_until),
          bytes: plainBytes(row.bytes as Uint8Array),
        }
      )
    },
    write: (organisation, name, answer, mostAnswers) =>
      inTransaction(db, () => {
        checkAnswer(organisation, name, answer)
        const { basis, computedAt, goodUntil, bytes } = answer
        write.run(organisation, name, basis, computedAt, goodUntil, bytes)
        removeOld.run(organisation, computedAt, mostAnswers)
      }),
  }
}
