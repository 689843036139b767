import type { DatabaseSync } from 'node:sqlite'
import type { RecommendationStore, StoredRecommendation } from '../port-recommendations.ts'
import type { RecommendationRow } from '../rows.ts'
import { checkRecommendation, recommendationColumns, recommendationFromRow, removalOrder } from '../rows.ts'
import { isStorable } from '../storable.ts'
import { inTransaction } from './database.ts'
import { prepareEnsureOrganisation } from './organisations.ts'
import type { Synchronous } from './synchronous.ts'

export function sqliteRecommendations(db: DatabaseSync): Synchronous<RecommendationStore> {
  const ensureOrganisation = prepareEnsureOrganisation(db)
  const page = db.prepare(
    `SELECT ${recommendationColumns} FROM recommendations
     WHERE organisation = ? AND id > ? AND decided >= ? ORDER BY id LIMIT ?`,
  )
  const find = db.prepare(
    `SELECT ${recommendationColumns} FROM recommendations
     WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
  const insert = db.prepare(
    `INSERT INTO recommendations (organisation, id, version, decided, advised_at, json) VALUES (?, ?, 1, ?, ?, ?)
     ON CONFLICT (organisation, id) DO NOTHING`,
  )
  const update = db.prepare(
    `UPDATE recommendations SET version = version + 1, decided = ?, advised_at = ?, json = ?
     WHERE organisation = ? AND id = ? AND version = ?`,
  )
  const trim = db.prepare(
    `DELETE FROM recommendations WHERE organisation = ?1 AND id IN (
       SELECT id FROM recommendations WHERE organisation = ?1 ORDER BY ${removalOrder}
       LIMIT max(0, (SELECT count(*) FROM recommendations WHERE organisation = ?1) - ?2))`,
  )
  const found = (rows: unknown[]) => (rows as RecommendationRow[]).map(recommendationFromRow)

  function writeOne(organisation: string, row: StoredRecommendation): boolean {
    checkRecommendation(row)
    const { id, version, advisedAt, json } = row
    const decided = row.decided ? 1 : 0
    const { changes } =
      version === 0
        ? insert.run(organisation, id, decided, advisedAt, json)
        : update.run(decided, advisedAt, json, organisation, id, version)
    return Number(changes) > 0
  }

  return {
    page: (organisation, { limit, after = '', decided }) =>
      isStorable(organisation) ? found(page.all(organisation, after, decided ? 1 : 0, limit)) : [],
    find: (organisation, ids) =>
      isStorable(organisation)
        ? found(find.all(organisation, JSON.stringify(ids.filter((id) => isStorable(id)))))
        : [],
    write: (organisation, rows, most) =>
      inTransaction(db, () => {
        ensureOrganisation(organisation)
        const missed = rows.filter((row) => !writeOne(organisation, row)).map(({ id }) => id)
        trim.run(organisation, most)
        return missed
      }),
  }
}
