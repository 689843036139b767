import type { DatabaseSync } from 'node:sqlite'
import type {
  Checkpoint,
  JournalEntry,
  OpenedPartition,
  Partition,
  ReplacedEntries,
  SubjectRow,
  UsageStore,
} from '../../../usage/port.ts'
import { plainBytes } from '../../storable.ts'
import {
  dayOfHour,
  entityFromRow,
  keyFromBytes,
  openedEntitiesSql,
  type StoredEntityRow,
} from '../../usage-row.ts'
import { inTransaction, type Synchronous } from '../database.ts'
import { sqliteCheckpoint } from './checkpoint.ts'
import { type DigestPage, sqliteDigests } from './digests.ts'
import { sqliteJournal } from './journal.ts'
import { sqliteNodeLoads } from './node-loads.ts'
import { sqlitePartitions } from './partitions.ts'
import { sqliteRetention } from './retention.ts'

/** What the thread serves: digests page by page, and the subjects of a commit as a separate argument. */
interface SqliteUsage
  extends Pick<Synchronous<UsageStore>, 'open' | 'fence' | 'journal' | 'loose' | 'prune' | 'dropDays'> {
  append(entries: readonly JournalEntry[], replaced?: ReplacedEntries): readonly number[]
  digestPage(
    organisation: string,
    query: Parameters<UsageStore['digests']>[1],
    after: string | undefined,
  ): DigestPage
  commit(
    partition: Partition,
    epoch: number,
    rest: Omit<Checkpoint, 'subjects'>,
    subjects: readonly SubjectRow[],
  ): void
  compact(partition: Partition, epoch: number, days: Parameters<UsageStore['compact']>[2]): void
}

export function sqliteUsage(db: DatabaseSync): SqliteUsage {
  const waiting = db.prepare(
    `SELECT sequence, received_at, format, cluster, length(body) AS bytes,
       iif(sequence IN (SELECT value FROM json_each(?)), x'', body) AS body
     FROM usage_journal WHERE partition = ? AND sequence > ? ORDER BY sequence`,
  )
  const states = db.prepare(
    'SELECT s.key, t.state FROM usage_states t JOIN usage_subjects s ON s.id = t.subject WHERE t.partition = ?',
  )
  const entitiesOf = db.prepare(
    `SELECT key, kind, cluster, last_hour, json FROM usage_entities WHERE partition = ? AND ${openedEntitiesSql} ORDER BY key`,
  )
  const partitionRows = sqlitePartitions(db)
  const journal = sqliteJournal(db, partitionRows)
  const { commitCheckpoint, ensureSubject } = sqliteCheckpoint(db, partitionRows, journal)
  const retention = sqliteRetention(db, ensureSubject)
  const nodes = sqliteNodeLoads(db)

  return {
    append: (entries, replaced) => inTransaction(db, () => journal.appendEntries(entries, replaced)),
    open: (partition) =>
      inTransaction(db, (): OpenedPartition => {
        const id = partitionRows.ensurePartition(partition)
        const { epoch, resume } = partitionRows.openPartition(id)
        const subjects = (states.all(id) as { key: Uint8Array; state: Uint8Array }[]).map(
          ({ key, state }) => ({ key: keyFromBytes(key), state: plainBytes(state) }),
        )
        const entities = (entitiesOf.all(id, id) as unknown as StoredEntityRow[]).map(entityFromRow)
        return { epoch, resume, subjects, entities }
      }),
    fence: (partition) =>
      inTransaction(db, () => partitionRows.openPartition(partitionRows.ensurePartition(partition)).epoch),
    journal: (partition, after, maxBytes, known = []) => {
      const id = partitionRows.findPartition(partition)
      const entries = []
      let bytes = 0
      for (const row of id === undefined ? [] : waiting.iterate(JSON.stringify(known), id, after)) {
        if (entries.length > 0 && bytes + Number(row.bytes) > maxBytes) break
        bytes += Number(row.bytes)
        entries.push({
          partition,
          sequence: Number(row.sequence),
          receivedAt: Number(row.received_at),
          format: row.format as JournalEntry['format'],
          cluster: String(row.cluster),
          body: plainBytes(row.body as Uint8Array),
        })
      }
      return entries
    },
    commit: (partition, epoch, rest, subjects) =>
      inTransaction(db, () => {
        const lateDays = commitCheckpoint(partition, epoch, rest, subjects)
        nodes.forgetNodeLoads(partition.organisation, lateDays)
      }),
    digestPage: sqliteDigests(db),
    loose: (partition, beforeHour, maxDays) => {
      const id = partitionRows.findPartition(partition)
      return id === undefined ? [] : retention.looseDays(id, beforeHour, maxDays)
    },
    compact: (partition, epoch, days) =>
      inTransaction(db, () => {
        const id = partitionRows.lockPartition(partition, epoch)
        for (const day of days) retention.writeCompactDay(partition.organisation, id, day)
        nodes.forgetNodeLoads(partition.organisation, days)
      }),
    prune: (organisation, beforeHour, maxRows) =>
      inTransaction(db, () => {
        nodes.pruneNodeLoads(organisation, dayOfHour(beforeHour))
        return retention.prune(organisation, beforeHour, maxRows)
      }),
    dropDays: () => 0,
  }
}
