import type { DatabaseSync } from 'node:sqlite'
import { type DecisionRow, decisionKeys } from '../decision-row.ts'
import type { DecisionStore, StoredDecision } from '../port-decisions.ts'
import { inSnapshot, inTransaction, prepareEnsureOrganisation, type Synchronous } from './database.ts'

export function sqliteDecisions(db: DatabaseSync): Synchronous<DecisionStore> {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const find = db.prepare(
    'SELECT subject, day, bytes FROM decisions WHERE organisation = ? AND day = ? AND subject = ?',
  )
  const insert = db.prepare(
    `INSERT INTO decisions (organisation, day, subject, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (organisation, day, subject) DO UPDATE SET bytes = excluded.bytes`,
  )
  const old = db.prepare(
    `DELETE FROM decisions WHERE (organisation, day, subject) IN (
       SELECT organisation, day, subject FROM decisions WHERE organisation = ? AND day < ? ORDER BY day LIMIT ?)`,
  )
  return {
    read: (organisation, place, names, { from, to }) =>
      inSnapshot(db, () => {
        const keys = decisionKeys(place)
        const subjects = names.map(keys.bytesOf)
        const found: StoredDecision[] = []
        for (let day = from; day < to; day++)
          for (const subject of subjects) {
            const row = find.get(organisation, day, subject) as DecisionRow | undefined
            if (row !== undefined) found.push(keys.fromRow(row))
          }
        return found
      }),
    write: (organisation, place, decisions) =>
      inTransaction(db, () => {
        const keys = decisionKeys(place)
        ensureOrganisation(organisation)
        for (const { name, day, bytes } of decisions) insert.run(organisation, day, keys.bytesOf(name), bytes)
      }),
    prune: (organisation, beforeDay, maxRows) => Number(old.run(organisation, beforeDay, maxRows).changes),
  }
}
