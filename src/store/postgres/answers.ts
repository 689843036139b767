import type { AnswerStore, StoredAnswer } from '../port.ts'
import { plainBytes } from '../rows.ts'
import { checkAnswer, isStorable } from '../storable.ts'
import type { Database } from './database.ts'

const which = 'WHERE organisation = $1 AND name = $2 AND basis = $3 AND good_until > $4'

export function postgresAnswers(db: Database): AnswerStore {
  return {
    async read(organisation, name, basis, at) {
      if (![organisation, name, basis].every(isStorable)) return undefined
      const [row] = await db.rows<StoredAnswer>(
        `SELECT computed_at AS "computedAt", good_until AS "expiresAt", bytes FROM answers
         ${which}`,
        [organisation, name, basis, at],
      )
      return row && { ...row, bytes: plainBytes(row.bytes) }
    },
    async computedAt(organisation, name, basis, at) {
      if (![organisation, name, basis].every(isStorable)) return undefined
      const [row] = await db.rows<Pick<StoredAnswer, 'computedAt'>>(
        `SELECT computed_at AS "computedAt" FROM answers ${which}`,
        [organisation, name, basis, at],
      )
      return row?.computedAt
    },
    write: (organisation, name, answer, maxAnswers) =>
      db.inTransaction(async (client) => {
        checkAnswer(organisation, name, answer)
        const { basis, computedAt, expiresAt, bytes } = answer
        await client.query(
          `INSERT INTO answers (organisation, name, basis, computed_at, good_until, bytes) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (organisation, name) DO UPDATE SET
             basis = excluded.basis, computed_at = excluded.computed_at, good_until = excluded.good_until, bytes = excluded.bytes
           WHERE answers.computed_at <= excluded.computed_at OR answers.computed_at >= excluded.good_until`,
          [organisation, name, basis, computedAt, expiresAt, Buffer.from(bytes)],
        )
        await client.query(
          `DELETE FROM answers WHERE organisation = $1 AND name NOT IN (
             SELECT name FROM answers WHERE organisation = $1 ORDER BY computed_at DESC, name LIMIT $2)`,
          [organisation, maxAnswers],
        )
      }),
    async prune(at) {
      await db.rows('DELETE FROM answers WHERE good_until <= $1', [at])
    },
  }
}
