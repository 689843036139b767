import type { DatabaseSync } from 'node:sqlite'
import type { AnswerStore } from '../port.ts'
import { plainBytes } from '../rows.ts'
import { checkAnswer, isStorable } from '../storable.ts'
import { inTransaction } from './database.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteAnswers(db: DatabaseSync): Synchronous<AnswerStore> {
  const which = 'WHERE organisation = ? AND name = ? AND basis = ? AND good_until > ?'
  const read = db.prepare(`SELECT computed_at, good_until, bytes FROM answers ${which}`)
  const computedAt = db.prepare(`SELECT computed_at FROM answers ${which}`)
  const write = db.prepare(
    `INSERT INTO answers (organisation, name, basis, computed_at, good_until, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (organisation, name) DO UPDATE SET
       basis = excluded.basis, computed_at = excluded.computed_at, good_until = excluded.good_until, bytes = excluded.bytes
     WHERE answers.computed_at <= excluded.computed_at OR answers.computed_at >= excluded.good_until`,
  )
  const removeFirst = db.prepare(
    `DELETE FROM answers WHERE organisation = ?1 AND name NOT IN (
       SELECT name FROM answers WHERE organisation = ?1 ORDER BY computed_at DESC, name LIMIT ?2)`,
  )
  const prune = db.prepare('DELETE FROM answers WHERE good_until <= ?')
  return {
    read: (organisation, name, basis, at) => {
      if (![organisation, name, basis].every(isStorable)) return undefined
      const row = read.get(organisation, name, basis, at)
      return (
        row && {
          computedAt: Number(row.computed_at),
          expiresAt: Number(row.good_until),
          bytes: plainBytes(row.bytes as Uint8Array),
        }
      )
    },
    computedAt: (organisation, name, basis, at) => {
      if (![organisation, name, basis].every(isStorable)) return undefined
      const row = computedAt.get(organisation, name, basis, at)
      return row && Number(row.computed_at)
    },
    write: (organisation, name, answer, maxAnswers) =>
      inTransaction(db, () => {
        checkAnswer(organisation, name, answer)
        const { basis, computedAt, expiresAt, bytes } = answer
        write.run(organisation, name, basis, computedAt, expiresAt, bytes)
        removeFirst.run(organisation, maxAnswers)
      }),
    prune: (at) => void prune.run(at),
  }
}
