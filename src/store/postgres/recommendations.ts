import type { PoolClient } from 'pg'
import type { RecommendationStore, StoredRecommendation } from '../port-recommendations.ts'
import type { RecommendationRow } from '../rows.ts'
import { checkRecommendation, recommendationColumns, recommendationFromRow, removalOrder } from '../rows.ts'
import { isStorable } from '../storable.ts'
import type { Database } from './database.ts'
import { ensureOrganisation } from './organisations.ts'

export function postgresRecommendations(db: Database): RecommendationStore {
  return {
    async page(organisation, { limit, after = '', decided }) {
      if (!isStorable(organisation)) return []
      const rows = await db.rows<RecommendationRow>(
        `SELECT ${recommendationColumns} FROM recommendations
         WHERE organisation = $1 AND id > $2 AND decided >= $3 ORDER BY id LIMIT $4`,
        [organisation, after, decided ? 1 : 0, limit],
      )
      return rows.map(recommendationFromRow)
    },
    async find(organisation, ids) {
      if (!isStorable(organisation)) return []
      const rows = await db.rows<RecommendationRow>(
        `SELECT ${recommendationColumns} FROM recommendations
         WHERE organisation = $1 AND id = ANY ($2) ORDER BY id`,
        [organisation, ids.filter((id) => isStorable(id))],
      )
      return rows.map(recommendationFromRow)
    },
    write: (organisation, rows, most) =>
      db.inTransaction(async (client) => {
        for (const row of rows) checkRecommendation(row)
        await ensureOrganisation(client, organisation)
        // Writers of one organisation take turns, so that the number of rows is correct.
        await client.query('SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE', [organisation])
        const written = new Set([
          ...(await insertNew(client, organisation, rows)),
          ...(await updateKnown(client, organisation, rows)),
        ])
        await client.query(
          `DELETE FROM recommendations WHERE organisation = $1 AND id IN (
             SELECT id FROM recommendations WHERE organisation = $1 ORDER BY ${removalOrder}
             LIMIT greatest(0, (SELECT count(*) FROM recommendations WHERE organisation = $1) - $2))`,
          [organisation, most],
        )
        return rows.filter(({ id }) => !written.has(id)).map(({ id }) => id)
      }),
  }
}

async function insertNew(
  client: PoolClient,
  organisation: string,
  rows: readonly StoredRecommendation[],
): Promise<string[]> {
  const { rows: written } = await client.query<{ id: string }>(
    `INSERT INTO recommendations (organisation, id, version, decided, advised_at, json)
     SELECT $1, id, 1, decided, advised_at, json
     FROM unnest($2::text[], $3::smallint[], $4::bigint[], $5::text[]) AS r (id, decided, advised_at, json)
     ON CONFLICT (organisation, id) DO NOTHING RETURNING id`,
    [organisation, ...columnsOf(rows.filter(({ version }) => version === 0))],
  )
  return written.map(({ id }) => id)
}

async function updateKnown(
  client: PoolClient,
  organisation: string,
  rows: readonly StoredRecommendation[],
): Promise<string[]> {
  const known = rows.filter(({ version }) => version > 0)
  const { rows: written } = await client.query<{ id: string }>(
    `UPDATE recommendations AS old
     SET version = old.version + 1, decided = r.decided, advised_at = r.advised_at, json = r.json
     FROM unnest($2::text[], $3::smallint[], $4::bigint[], $5::text[], $6::bigint[])
       AS r (id, decided, advised_at, json, version)
     WHERE old.organisation = $1 AND old.id = r.id AND old.version = r.version RETURNING old.id`,
    [organisation, ...columnsOf(known), known.map(({ version }) => version)],
  )
  return written.map(({ id }) => id)
}

const columnsOf = (rows: readonly StoredRecommendation[]) => [
  rows.map(({ id }) => id),
  rows.map(({ decided }) => (decided ? 1 : 0)),
  rows.map(({ advisedAt }) => advisedAt),
  rows.map(({ json }) => json),
]
