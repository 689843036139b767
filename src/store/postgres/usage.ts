import type { JournalEntry, UsageStore } from '../../usage/port.ts'
import { plainBytes } from '../change-row.ts'
import { isStorable } from '../storable.ts'
import { entityFromRow, keyFromBytes, keyRange, type StoredEntityRow } from '../usage-row.ts'
import type { Database } from './database.ts'
import { postgresDigests } from './usage-digests.ts'
import { looseDays, prune, writeCompactDays } from './usage-keeping.ts'
import {
  appendEntries,
  commitCheckpoint,
  ensurePartition,
  lockPartition,
  openPartition,
} from './usage-writing.ts'

export function postgresUsage(db: Database): UsageStore {
  return {
    append: (entries) => db.inTransaction((client) => appendEntries(client, entries)),
    partitions: () =>
      db.rows(
        `SELECT organisation, source, resume, EXISTS (SELECT 1 FROM usage_journal j WHERE j.partition = p.id) AS pending
         FROM usage_partitions p ORDER BY organisation, source`,
      ),
    open: (partition) =>
      db.inTransaction(async (client) => {
        const id = await ensurePartition(client, partition)
        const { epoch, resume } = await openPartition(client, id)
        const states = await client.query<{ key: Uint8Array; state: Uint8Array }>(
          'SELECT s.key, t.state FROM usage_states t JOIN usage_subjects s ON s.id = t.subject WHERE t.partition = $1',
          [id],
        )
        const entities = await client.query<StoredEntityRow>(
          'SELECT key, kind, cluster, last_hour, json FROM usage_entities WHERE partition = $1 ORDER BY key',
          [id],
        )
        return {
          epoch,
          resume,
          subjects: states.rows.map(({ key, state }) => ({
            key: keyFromBytes(key),
            state: plainBytes(state),
          })),
          entities: entities.rows.map(entityFromRow),
        }
      }),
    fence: (partition) =>
      db.inTransaction(async (client) => {
        const { epoch } = await openPartition(client, await ensurePartition(client, partition))
        return epoch
      }),
    async journal(partition, after, maxBytes) {
      const rows = await db.rows<KeptEntry>(
        `SELECT sequence, received_at, format, cluster, body FROM (
           SELECT *, sum(octet_length(body)) OVER (ORDER BY sequence) AS upto, row_number() OVER (ORDER BY sequence) AS place
           FROM (SELECT j.* FROM usage_journal j JOIN usage_partitions p ON p.id = j.partition
                 WHERE p.organisation = $1 AND p.source = $2 AND j.sequence > $3 ORDER BY j.sequence LIMIT ${mostEntries}) AS next
         ) AS counted WHERE place = 1 OR upto <= $4 ORDER BY sequence`,
        [partition.organisation, partition.source, after, maxBytes],
      )
      return rows.map((row) => ({
        partition,
        sequence: row.sequence,
        receivedAt: row.received_at,
        format: row.format,
        cluster: row.cluster,
        body: plainBytes(row.body),
      }))
    },
    commit: (partition, epoch, checkpoint) =>
      db.inTransaction((client) => commitCheckpoint(client, partition, epoch, checkpoint)),
    digests: postgresDigests(db),
    async firstKey(organisation, query) {
      const { from, to } = keyRange(query)
      const [found] = await db.rows<{ key: Uint8Array }>(
        `SELECT key FROM usage_subjects
         WHERE organisation = $1 AND key >= $2 AND key > $3 AND key < $4 ORDER BY key LIMIT 1`,
        [organisation, from, Buffer.from(query.after ?? ''), to],
      )
      return found && keyFromBytes(found.key)
    },
    async entities(organisation, { kinds, cluster }) {
      if (cluster !== undefined && !isStorable(cluster)) return []
      const rows = await db.rows<StoredEntityRow>(
        `SELECT e.key, e.kind, e.cluster, e.last_hour, e.json FROM usage_entities e
         JOIN usage_partitions p ON p.id = e.partition
         WHERE p.organisation = $1 AND ($2::text[] IS NULL OR e.kind = ANY ($2)) AND ($3::text IS NULL OR e.cluster = $3)
         ORDER BY e.key, p.source`,
        [organisation, kinds ?? null, cluster ?? null],
      )
      return rows.map(entityFromRow)
    },
    loose: (partition, beforeHour, maxDays) => looseDays(db, partition, beforeHour, maxDays),
    compact: (partition, epoch, days) =>
      db.inTransaction(async (client) => {
        const id = await lockPartition(client, partition, epoch)
        await writeCompactDays(client, partition.organisation, id, days)
      }),
    prune: (organisation, beforeHour, maxRows) =>
      db.inTransaction((client) => prune(client, organisation, beforeHour, maxRows)),
  }
}

/** Maximum entries read for one answer. */
const mostEntries = 1000

interface KeptEntry {
  readonly sequence: number
  readonly received_at: number
  readonly format: JournalEntry['format']
  readonly cluster: string
  readonly body: Uint8Array
}
