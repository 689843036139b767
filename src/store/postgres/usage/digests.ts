import type { DigestQuery, StoredSubject, UsageStore } from '../../../usage/port.ts'
import { keyFromBytes, keyRange, matchesQuery, namedKeys } from '../../usage-row.ts'
import type { Database } from '../database.ts'
import { postgresSubjectRows } from './days.ts'

/** Page after page: no connection is held while the reader thinks. */
export function postgresDigests(db: Pick<Database, 'rows'>): UsageStore['digests'] {
  return async function* digests(organisation, query) {
    const { from, to } = keyRange(query)
    let after: Uint8Array = Buffer.from(query.after ?? '')
    if (query.keys !== undefined) {
      const named = await db.rows<SubjectIds>(
        `SELECT key, array_agg(id) AS ids FROM usage_subjects
         WHERE organisation = $1 AND key = ANY ($2::bytea[]) GROUP BY key ORDER BY key`,
        [organisation, namedKeys(query, query.after)],
      )
      yield* await rowsOf(db, named, query)
      return
    }
    for (let more = true; more; ) {
      const subjects = await db.rows<SubjectIds>(
        `SELECT key, array_agg(id) AS ids FROM usage_subjects
         WHERE organisation = $1 AND key >= $2 AND key > $3 AND key < $4
         GROUP BY key ORDER BY key LIMIT ${pageLength}`,
        [organisation, from, after, to],
      )
      more = subjects.length === pageLength
      after = subjects.at(-1)?.key ?? after
      yield* await rowsOf(db, subjects, query)
    }
  }
}

/** A subject has a row for each shard that ever held it: another number of shards is another place for it. */
interface SubjectIds {
  readonly key: Buffer
  readonly ids: readonly number[]
}

function rowsOf(
  db: Pick<Database, 'rows'>,
  subjects: readonly SubjectIds[],
  query: DigestQuery,
): Promise<StoredSubject[]> {
  const asked = subjects
    .map(({ key, ids }) => ({ key: keyFromBytes(key), ids: ids.map(Number) }))
    .filter(({ key }) => matchesQuery(key, query))
  return postgresSubjectRows(db, asked, query)
}

const pageLength = 256
