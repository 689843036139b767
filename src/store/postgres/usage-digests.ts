import type { DigestQuery, StoredSubject, UsageStore } from '../../usage/port.ts'
import { plainBytes } from '../change-row.ts'
import { hourRange, keyFromBytes, keyRange, matchesQuery, namedKeys } from '../usage-row.ts'
import type { Database } from './database.ts'

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
      yield* await rowsOf(
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
      yield* await rowsOf(db, asked, query)
    }
  }
}

async function rowsOf(
  db: Database,
  subjects: readonly { id: number; key: string }[],
  query: DigestQuery,
): Promise<StoredSubject[]> {
  if (subjects.length === 0) return []
  const { day, from, to } = hourRange(query)
  const rows = await db.rows<{ subject: number; source: string; bytes: Uint8Array }>(
    `SELECT d.subject, p.source, d.bytes FROM usage_digests d JOIN usage_partitions p ON p.id = d.partition
     WHERE d.subject = ANY ($1::bigint[]) AND d.hour >= $2 AND d.hour < $4 AND (d.epoch = 0 OR d.hour >= $3)
     ORDER BY d.subject, d.hour, d.partition, d.epoch, d.part`,
    [subjects.map(({ id }) => id), day, from, to],
  )
  const bySubject = Map.groupBy(rows, ({ subject }) => subject)
  return subjects.flatMap(({ id, key }) => {
    const own = bySubject.get(id)
    return own ? [{ key, rows: own.map(({ source, bytes }) => ({ source, bytes: plainBytes(bytes) })) }] : []
  })
}

const pageLength = 256
