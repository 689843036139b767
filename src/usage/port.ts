import type { Subject } from '../domain/subject.ts'
import type { EntityKind } from '../domain/usage-series.ts'

/**
 * What the store must offer for usage, in addition to its general promises: a resolved write is durable, and a rejected
 * one left nothing behind.
 *
 * How nothing acknowledged is lost and nothing counts twice:
 *   1. any node appends a request to the journal, then acknowledges it;
 *   2. one node at a time digests a partition: it applies journal entries in order to its accumulator, in memory;
 *   3. from time to time it commits digests and the state of subjects (watermarks). Those of one subject are in one transaction,
 *      and the last transaction also removes the journal entries that they come from;
 *   4. a node that takes over opens the partition: it loads the states of the last commit and applies what is left in the
 *      journal. A request that was sent twice is in the journal twice, and its samples are at or below their watermarks.
 * A partition is a shard of an organisation's pushed samples, or of one of its collections. A collection needs no journal:
 * it queries again from its resume point, which is committed with the digests.
 */
export interface UsageStore {
  /**
   * Writes many requests in one transaction, which is durable when this resolves. The same transaction removes the entries
   * that these replace. Resolves with the sequence numbers of the entries.
   */
  append(entries: readonly JournalEntry[], replaced?: ReplacedEntries): Promise<readonly number[]>
  pending(): Promise<Partition[]>
  /** Number of subjects in memory at the last commit of each partition. Subjects of collections do not count. */
  subjectCounts(): Promise<readonly { readonly partition: Partition; readonly subjects: number }[]>
  partitions(): Promise<PartitionSummary[]>
  /** Takes the partition over: commits and compactions of earlier openers are refused from now on. */
  open(partition: Partition): Promise<OpenedPartition>
  /** Takes the partition over as open() does, without reading its state. Resolves with the new epoch. */
  fence(partition: Partition): Promise<number>
  /** In order, up to about this many bytes, at least one. An entry whose sequence number is in `known` has no body. */
  journal(
    partition: Partition,
    after: number,
    maxBytes: number,
    known?: readonly number[],
  ): Promise<StoredEntry[]>
  /** Atomic. Rejects with Superseded, and changes nothing, once another node has opened the partition. */
  commit(partition: Partition, epoch: number, checkpoint: Checkpoint): Promise<void>
  /**
   * The subjects that have any data, in key order; for each, all rows with hours in [fromHour, toHour) from all
   * partitions, in order of time. A row of a whole day may contain other hours of that day too. Days that the query wants
   * as summaries come as summaries if possible, and then without rows, unless there are digests that the summary does not
   * contain.
   */
  digests(organisation: string, query: DigestQuery): AsyncIterable<StoredSubject>
  /** The first key in the place that a query names, whatever hours it has; undefined if there is none. */
  firstKey(organisation: string, query: DigestQuery): Promise<string | undefined>
  /** In key order; one row for each partition that has facts about the entity. */
  entities(organisation: string, query: EntityQuery): Promise<EntityRow[]>
  /** Not yet merged into one row and a summary, latest first. The limit counts subject days. */
  loose(partition: Partition, beforeHour: number, maxDays: number): Promise<LooseDay[]>
  /** Replaces all rows of a subject, partition and day by one row and its summary. Rejects as commit does. */
  compact(partition: Partition, epoch: number, days: readonly CompactDay[]): Promise<void>
  /**
   * Loads of the nodes of a cluster on the first of the days [from, to) that are kept, in order. A day is no longer kept once
   * it is compacted for any container of the cluster, or usage of it is committed later than the day after it.
   */
  nodeLoads(organisation: string, cluster: string, days: DayRange, most?: number): Promise<NodeLoadDay[]>
  /**
   * Time of the latest change of these days, in milliseconds since 1970 by the clock of the database: when a day was
   * compacted or committed so late or, if its load was kept since, when that load was read. 0 if nothing happened.
   */
  nodeLoadsChangedAt(organisation: string, cluster: string, days: DayRange): Promise<number>
  /** Kept until they are pruned, unless read before a load that is kept, or before a compaction of the day. */
  keepNodeLoads(organisation: string, cluster: string, days: readonly NodeLoadDay[]): Promise<void>
  /**
   * Milliseconds since 1970 by the clock of the database: when usage of a day before yesterday was last committed for the
   * organisation. Returns 0 if that never happened.
   */
  lateUsageAt(organisation: string): Promise<number>
  /** Removes days that ended before the hour, and entities without other data; returns the number of rows, about maxRows at most. */
  prune(organisation: string, beforeHour: number, maxRows: number): Promise<number>
  /** Drops days of all organisations, if the database can remove a whole day at once. Returns the days; prune() removes the rest. */
  dropDays(beforeHour: number): Promise<number>
}

export interface EntityQuery {
  readonly kinds?: readonly EntityKind[]
  readonly cluster?: string
  /** Only those that were seen in this hour or later. */
  readonly fromHour?: number
}

export interface PartitionSummary extends Partition {
  readonly resume: string
  /** Whether the journal has entries of the partition. */
  readonly pending: boolean
}

export interface LooseDay {
  readonly key: string
  /** Days since 1970. */
  readonly day: number
  readonly rows: readonly Uint8Array[]
}

export interface CompactDay {
  readonly key: string
  readonly day: number
  readonly bytes: Uint8Array
  /** The summary of the same digests by day/summarise-day.ts; empty if there are no digests. */
  readonly summary: Uint8Array
}

/** Days since 1970; `to` is not included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

export interface NodeLoadDay {
  /** Days since 1970. */
  readonly day: number
  /** Time at which the usage that it comes from was read, in milliseconds since 1970. */
  readonly readAt: number
  readonly bytes: Uint8Array
}

export interface Partition {
  readonly organisation: string
  /** 'push', or the name of a collection. */
  readonly source: string
  /** 0 if absent. */
  readonly shard?: number
}

export interface JournalEntry {
  readonly partition: Partition
  /** Milliseconds since 1970. The ages of samples are judged by it, even if the entry is read again after a crash. */
  readonly receivedAt: number
  readonly format: 'remote-write-1' | 'remote-write-2'
  /** Cluster of series without a cluster label. */
  readonly cluster: string
  /** The body as received, compressed with snappy. */
  readonly body: Uint8Array
}

export interface ReplacedEntries {
  readonly partition: Partition
  readonly consumed: readonly number[]
}

export type StoredEntry = JournalEntry & { readonly sequence: number }

export interface OpenedPartition {
  readonly epoch: number
  readonly resume: string
  readonly subjects: readonly { readonly key: string; readonly state: Uint8Array }[]
  readonly entities: readonly EntityRow[]
}

export interface Checkpoint {
  readonly subjects: readonly SubjectRow[]
  readonly entities: readonly EntityRow[]
  /** Journal entries that these digests or earlier ones contain. */
  readonly consumed: readonly number[]
  readonly forgotten: readonly string[]
  /** Number of subjects in memory; 0 if absent. */
  readonly subjectCount?: number
  readonly resume: string
}

export interface SubjectRow {
  readonly key: string
  readonly subject: Subject
  readonly state: Uint8Array
  /** Replaces the row of the same subject, partition, epoch, hour and part. */
  readonly digests: readonly { readonly hour: number; readonly part: number; readonly bytes: Uint8Array }[]
}

export interface EntityRow {
  readonly key: string
  readonly kind: EntityKind
  readonly cluster: string
  readonly lastHour: number
  /** See encodeEntity in digest/entities.ts. */
  readonly json: string
}

export interface DigestQuery {
  readonly kind: Subject['kind']
  /** Containers are selected by cluster and namespace, processes by vm. */
  readonly cluster?: string
  readonly namespace?: string
  readonly vm?: string
  /** Only subjects whose key follows this text in UTF-8 byte order; it need not be an existing key. */
  readonly after?: string
  /** Only these subjects, of the kind and place named; some hundreds at most. */
  readonly keys?: readonly string[]
  readonly fromHour: number
  readonly toHour: number
  /** Whole days of the window that end at or before this hour are wanted as summaries; none by default. */
  readonly summariesBefore?: number
}

export interface StoredSubject {
  readonly key: string
  readonly rows: readonly { readonly source: string; readonly bytes: Uint8Array }[]
  /** Concatenated summaries of days in order of time. The summary of a day that also has rows is to be ignored. */
  readonly days: Uint8Array
}

/** Another node has opened the partition in the meantime. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}
