import type { RecommendationStore, StoredList, StoredRecommendation } from '../port-recommendations.ts'
import { checkRecommendation, isStorable, plainBytes } from '../storable.ts'
import { batchesOf, recordColumns, type SqlDatabase, type Transaction, valueMarks } from './sql.ts'

const record = recordColumns(['id', 'version', 'decided', 'advisedAt', 'json'])

/** Neither database has the same type for a truth value. */
type Row = Omit<StoredRecommendation, 'decided'> & { readonly decided: number }

const recommendationFromRow = (row: Row): StoredRecommendation => ({
  ...row,
  decided: row.decided === 1,
})

export const recommendationTable = (db: SqlDatabase): RecommendationStore => ({
  async page(organisation, { limit, after = '', decided }) {
    if (!isStorable(organisation)) return []
    const rows = await db.rows<Row>(
      `SELECT ${record} FROM recommendations
       WHERE organisation = $1 AND id > $2 AND decided >= $3 ORDER BY id LIMIT $4`,
      [organisation, after, decided ? 1 : 0, limit],
    )
    return rows.map(recommendationFromRow)
  },
  async find(organisation, ids) {
    const storable = ids.filter(isStorable)
    if (!isStorable(organisation) || storable.length === 0) return []
    const rows = await db.rows<Row>(
      `SELECT ${record} FROM recommendations
       WHERE organisation = $1 AND id IN ${valueMarks([storable], 1)} ORDER BY id`,
      [organisation, ...storable],
    )
    return rows.map(recommendationFromRow)
  },
  // Writers of one organisation take turns, so that the number of rows is correct.
  write: (organisation, rows, most) =>
    db.inTransaction(async (sql) => {
      rows.forEach(checkRecommendation)
      await sql.ensureOrganisation(organisation)
      const written = new Set<string>()
      for (const some of batchesOf(rows.filter(({ version }) => version === 0)))
        for (const id of await insertNew(sql, organisation, some)) written.add(id)
      for (const some of batchesOf(rows.filter(({ version }) => version > 0)))
        for (const id of await updateKnown(sql, organisation, some)) written.add(id)
      await trim(sql, organisation, most)
      return rows.filter(({ id }) => !written.has(id)).map(({ id }) => id)
    }, `recommendations/${organisation}`),
  async list(organisation) {
    if (!isStorable(organisation)) return undefined
    const [row] = await db.rows<StoredList>(
      'SELECT made_at AS "madeAt", basis, bytes FROM recommendation_lists WHERE organisation = $1',
      [organisation],
    )
    return row && { ...row, bytes: plainBytes(row.bytes) }
  },
  writeList: (organisation, { madeAt, basis, bytes }) =>
    db.inTransaction(async (sql) => {
      await sql.ensureOrganisation(organisation)
      await sql.run(
        `INSERT INTO recommendation_lists (organisation, made_at, basis, bytes) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organisation) DO UPDATE SET
           made_at = excluded.made_at, basis = excluded.basis, bytes = excluded.bytes
         WHERE recommendation_lists.made_at <= excluded.made_at`,
        [organisation, madeAt, basis, bytes],
      )
    }),
})

async function insertNew(
  sql: Transaction,
  organisation: string,
  recommendations: readonly StoredRecommendation[],
): Promise<string[]> {
  const rows = recommendations.map((one) => [
    organisation,
    one.id,
    1,
    one.decided ? 1 : 0,
    one.advisedAt,
    one.json,
  ])
  const written = await sql.rows<{ id: string }>(
    `INSERT INTO recommendations (organisation, id, version, decided, advised_at, json) VALUES ${valueMarks(rows)}
     ON CONFLICT (organisation, id) DO NOTHING RETURNING id`,
    rows.flat(),
  )
  return written.map(({ id }) => id)
}

async function updateKnown(
  sql: Transaction,
  organisation: string,
  recommendations: readonly StoredRecommendation[],
): Promise<string[]> {
  const rows = recommendations.map((one) => [
    one.id,
    one.version,
    one.decided ? 1 : 0,
    one.advisedAt,
    one.json,
  ])
  const types = ['TEXT', 'BIGINT', 'SMALLINT', 'BIGINT', 'TEXT']
  const written = await sql.rows<{ id: string }>(
    `WITH sent (sent_id, known, decided, advised_at, json) AS (VALUES ${valueMarks(rows, 1, types)})
     UPDATE recommendations
     SET version = version + 1, decided = sent.decided, advised_at = sent.advised_at, json = sent.json
     FROM sent WHERE organisation = $1 AND id = sent_id AND version = known RETURNING id`,
    [organisation, ...rows.flat()],
  )
  return written.map(({ id }) => id)
}

/** Undecided recommendations go first; within both, those advised longest ago. */
async function trim(sql: Transaction, organisation: string, most: number): Promise<void> {
  const [counted] = await sql.rows<{ count: number }>(
    'SELECT count(*) AS count FROM recommendations WHERE organisation = $1',
    [organisation],
  )
  if (counted!.count <= most) return
  await sql.run(
    `DELETE FROM recommendations WHERE organisation = $1 AND id IN (
       SELECT id FROM recommendations WHERE organisation = $1 ORDER BY decided, advised_at, id LIMIT $2)`,
    [organisation, counted!.count - most],
  )
}
