import type { UsageStore } from '../../usage/port.ts'
import { keyFromBytes, keyRange, matchesQuery, namedKeys } from '../usage-row.ts'
import type { Database } from './database.ts'
import { postgresSubjectRows } from './usage-days.ts'

/** Page after page: no connection is held while the reader thinks. */
export function postgresDigests(db: Database): UsageStore['digests'] {
  return async function* digests(organisation, query) {
    const { from, to } = keyRange(query)
    let after: Uint8Array = Buffer.from(query.after ?? '')
    if (query.keys !== undefined) {
      const named = await db.rows<{ id: number; key: Buffer }>(
        'SELECT id, key FROM usage_subjects WHERE organisation = $1 AND key = ANY ($2::bytea[]) ORDER BY key',
        [organisation, namedKeys(query, query.after)],
      )
      const asked = named.map(({ id, key }) => ({ id, key: keyFromBytes(key) }))
      yield* await postgresSubjectRows(
        db,
        asked.filter(({ key }) => matchesQuery(key, query)),
        query,
      )
      return
    }
    for (let more = true; more; ) {
      const subjects = await db.rows<{ id: number; key: Buffer }>(
        `SELECT id, key FROM usage_subjects
         WHERE organisation = $1 AND key >= $2 AND key > $3 AND key < $4 ORDER BY key LIMIT ${pageLength}`,
        [organisation, from, after, to],
      )
      more = subjects.length === pageLength
      after = subjects.at(-1)?.key ?? after
      const asked = subjects
        .map(({ id, key }) => ({ id, key: keyFromBytes(key) }))
        .filter(({ key }) => matchesQuery(key, query))
      yield* await postgresSubjectRows(db, asked, query)
    }
  }
}

const pageLength = 256
