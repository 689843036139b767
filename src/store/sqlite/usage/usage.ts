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
import { isStorable, plainBytes } from '../../storable.ts'
import type { StoredEntityRow } from '../../usage-row.ts'
import {
  dayOfHour,
  entityFromRow,
  keyFromBytes,
  keyRange,
  openedEntitiesSql,
  partitionFromRow,
} from '../../usage-row.ts'
import { inTransaction } from '../database.ts'
import type { Synchronous } from '../synchronous.ts'
import { sqliteCheckpoint } from './checkpoint.ts'
import { type DigestPage, sqliteDigests } from './digests.ts'
import { sqliteJournal } from './journal.ts'
import { sqliteNodeLoads } from './node-loads.ts'
import { sqlitePartitions } from './partitions.ts'
import { sqliteRetention } from './retention.ts'

/**
 * The methods that the database thread serves: digests page by page, and the subjects of a commit as a separate
 * argument.
 */
interface SqliteUsage extends Omit<Synchronous<UsageStore>, 'digests' | 'commit' | 'append' | 'compact'> {
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
  const all = db.prepare(
    `SELECT organisation, source, shard, resume,
       EXISTS (SELECT 1 FROM usage_journal j WHERE j.partition = p.id) AS pending
     FROM usage_partitions p ORDER BY organisation, source, shard`,
  )
  const counts = db.prepare(
    `SELECT organisation, source, shard, subjects FROM usage_partitions
     WHERE source = 'push' AND subjects > 0 ORDER BY organisation, shard`,
  )
  const pending = db.prepare(
    `SELECT organisation, source, shard FROM usage_partitions p
     WHERE EXISTS (SELECT 1 FROM usage_journal j WHERE j.partition = p.id) ORDER BY organisation, source, shard`,
  )
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
  const firstKey = db.prepare(
    'SELECT key FROM usage_subjects WHERE organisation = ? AND key >= ? AND key > ? AND key < ? ORDER BY key LIMIT 1',
  )
  const lateUsageAt = db.prepare(
    'SELECT coalesce(max(late_at), 0) AS late_at FROM usage_partitions WHERE organisation = ?',
  )
  const partitionRows = sqlitePartitions(db)
  const journal = sqliteJournal(db, partitionRows)
  const { commitCheckpoint, ensureSubject } = sqliteCheckpoint(db, partitionRows, journal)
  const retention = sqliteRetention(db, ensureSubject)
  const nodes = sqliteNodeLoads(db)

  return {
    append: (entries, replaced) => inTransaction(db, () => journal.appendEntries(entries, replaced)),
    pending: () => pending.all().map((row) => partitionFromRow(row as unknown as Required<Partition>)),
    subjectCounts: () =>
      counts.all().map((row) => ({
        partition: partitionFromRow(row as unknown as Required<Partition>),
        subjects: Number(row.subjects),
      })),
    partitions: () =>
      all.all().map(({ organisation, source, shard, resume, pending }) => ({
        ...partitionFromRow({
          organisation: String(organisation),
          source: String(source),
          shard: Number(shard),
        }),
        resume: String(resume),
        pending: pending === 1,
      })),
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
    firstKey: (organisation, query) => {
      const { from, to } = keyRange(query)
      const found = firstKey.get(organisation, from, Buffer.from(query.after ?? ''), to)
      return found && keyFromBytes(found.key as Uint8Array)
    },
    entities: (organisation, { kinds, cluster, fromHour = 0 }) => {
      const values: (string | number)[] = [organisation, fromHour]
      let where = 'p.organisation = ? AND e.last_hour >= ?'
      if (kinds !== undefined) {
        where += ` AND e.kind IN (${kinds.map(() => '?').join(', ')})`
        values.push(...kinds)
      }
      if (cluster !== undefined) {
        if (!isStorable(cluster)) return []
        where += ' AND e.cluster = ?'
        values.push(cluster)
      }
      const rows = db
        .prepare(
          `SELECT e.key, e.kind, e.cluster, e.last_hour, e.json FROM usage_entities e
           JOIN usage_partitions p ON p.id = e.partition WHERE ${where} ORDER BY e.key, p.source, p.shard`,
        )
        .all(...values)
      return (rows as unknown as StoredEntityRow[]).map(entityFromRow)
    },
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
    nodeLoads: nodes.nodeLoads,
    nodeLoadsChangedAt: nodes.nodeLoadsChangedAt,
    keepNodeLoads: (organisation, cluster, days) =>
      inTransaction(db, () => nodes.keepNodeLoads(organisation, cluster, days)),
    lateUsageAt: (organisation) => Number(lateUsageAt.get(organisation)!.late_at),
    prune: (organisation, beforeHour, maxRows) =>
      inTransaction(db, () => {
        nodes.pruneNodeLoads(organisation, dayOfHour(beforeHour))
        return retention.prune(organisation, beforeHour, maxRows)
      }),
    dropDays: () => 0,
  }
}
