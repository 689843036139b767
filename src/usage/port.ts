import type { Subject } from '../domain/subject.ts'
import type { EntityKind } from '../domain/usage-series.ts'

/**
 * What the store must offer for usage, on top of its general promises: a resolved write is durable, a rejected one left
 * nothing behind.
 *
 * How nothing acknowledged is lost and nothing counts twice:
 *   1. any node appends a request to the journal, then acknowledges it;
 *   2. one node at a time digests a partition: it applies journal entries in order to its accumulator, in memory;
 *   3. now and then it commits digests and the state of subjects (watermarks), a subject's together in one transaction, and
 *      with the last of these the removal of the entries they come from;
 *   4. a node that takes over opens the partition: it loads the states of the last commit and applies what is left in the
 *      journal. A request that was sent twice is in the journal twice, and its samples are at or below their watermarks.
 * A partition is a shard of an organisation's pushed samples, or of one collection of its (which needs no journal: it asks
 * again from its resume point, committed with the digests).
 */
export interface UsageStore {
  /**
   * Durable when it resolves, all or nothing; one transaction for many requests. In the same one, entries that these take the place
   * of are removed. Resolves with the sequence numbers of the entries.
   */
  append(entries: readonly JournalEntry[], replaced?: ReplacedEntries): Promise<readonly number[]>
  /** Partitions that have entries in the journal. */
  pending(): Promise<Partition[]>
  /** How many subjects were in memory at the last commits, by organisation; what is collected does not count. */
  subjectCounts(): Promise<ReadonlyMap<string, number>>
  /** Every partition there is. */
  partitions(): Promise<PartitionSummary[]>
  /** Takes the partition: commits and compactions of earlier openers are refused from now on. */
  open(partition: Partition): Promise<OpenedPartition>
  /** Takes the partition as open() does, without reading what is kept of it; the new epoch. */
  fence(partition: Partition): Promise<number>
  /**
   * Entries after a sequence number, in order, up to about this many bytes; at least one if there is any. The body of an entry
   * whose sequence number is among those known is left out, and empty.
   */
  journal(
    partition: Partition,
    after: number,
    maxBytes: number,
    known?: readonly number[],
  ): Promise<StoredEntry[]>
  /** Atomic. Rejects with Superseded, and changes nothing, once another has opened the partition. */
  commit(partition: Partition, epoch: number, checkpoint: Checkpoint): Promise<void>
  /**
   * Subject by subject in key order, those that have any; of each, all rows with hours in [fromHour, toHour) from all
   * partitions, in order of time. A row of a whole day may contain other hours of that day too. Days that the query wants as
   * summaries come as such where they can: without rows then, unless there are digests that the summary does not contain.
   */
  digests(organisation: string, query: DigestQuery): AsyncIterable<StoredSubject>
  /** The first key in the place that a query names, whatever hours it has; undefined where there is none. */
  firstKey(organisation: string, query: DigestQuery): Promise<string | undefined>
  /** In key order; one row for each partition that has facts about the entity. */
  entities(
    organisation: string,
    query: { kinds?: readonly EntityKind[]; cluster?: string },
  ): Promise<EntityRow[]>
  /** Days before the hour that are not merged into one row and a summary yet, latest first; limited by the number of subject days. */
  loose(partition: Partition, beforeHour: number, maxDays: number): Promise<LooseDay[]>
  /** Replaces all rows of a subject, the partition and a day by one and its summary. Rejects as commit does. */
  compact(partition: Partition, epoch: number, days: readonly CompactDay[]): Promise<void>
  /**
   * What counted on the nodes of a cluster on days [from, to), of those days that are kept, in order. A day is no longer kept
   * once it is compacted for any container of the cluster, or usage of it is committed later than the day after it.
   */
  nodeLoads(organisation: string, cluster: string, days: DayRange): Promise<NodeLoadDay[]>
  /**
   * Milliseconds since 1970 by the clock of the database: when one of these days was last compacted or committed so late; where a
   * day was kept since, when that was read. 0 where nothing happened.
   */
  nodeLoadsChangedAt(organisation: string, cluster: string, days: DayRange): Promise<number>
  /** Keeps days until they are pruned. What was read before something kept, or before a compaction of the day, is left out. */
  keepNodeLoads(organisation: string, cluster: string, days: readonly NodeLoadDay[]): Promise<void>
  /**
   * Milliseconds since 1970 by the clock of the database: when usage of a day before yesterday was last committed for the
   * organisation. Returns 0 if that never happened.
   */
  lateUsageAt(organisation: string): Promise<number>
  /** Removes days that ended before the hour, and entities without other data; returns the number of rows, about maxRows at most. */
  prune(organisation: string, beforeHour: number, maxRows: number): Promise<number>
  /**
   * Removes days that ended before the hour, of all organisations, where the database can remove a day at once; returns the
   * number of days. What it leaves is for prune().
   */
  dropDays(beforeHour: number): Promise<number>
}

export interface PartitionSummary extends Partition {
  readonly resume: string
  /** Whether the journal has entries of it. */
  readonly pending: boolean
}

export interface LooseDay {
  readonly key: string
  /** Days since 1970. */
  readonly day: number
  /** In order of time. */
  readonly rows: readonly Uint8Array[]
}

export interface CompactDay {
  readonly key: string
  readonly day: number
  readonly bytes: Uint8Array
  /** What day/summarise-day.ts makes of the same digests; empty where they say nothing. */
  readonly summary: Uint8Array
}

/** Days since 1970, the second not included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

export interface NodeLoadDay {
  /** Days since 1970. */
  readonly day: number
  /** Milliseconds since 1970: when the usage it comes from was read. */
  readonly readAt: number
  readonly bytes: Uint8Array
}

export interface Partition {
  readonly organisation: string
  /** 'push', or the name of a collection. */
  readonly source: string
  /** Absent: 0. */
  readonly shard?: number
}

export interface JournalEntry {
  readonly partition: Partition
  /** Milliseconds since 1970; ages of samples are judged by it, also when it is read again after a crash. */
  readonly receivedAt: number
  readonly format: 'remote-write-1' | 'remote-write-2'
  /** Cluster of series without a cluster label. */
  readonly cluster: string
  /** As it came: snappy. */
  readonly body: Uint8Array
}

export interface ReplacedEntries {
  readonly partition: Partition
  readonly consumed: readonly number[]
}

export interface StoredEntry extends JournalEntry {
  readonly sequence: number
}

export interface OpenedPartition {
  readonly epoch: number
  /** The value of the last commit. */
  readonly resume: string
  readonly subjects: readonly { readonly key: string; readonly state: Uint8Array }[]
  readonly entities: readonly EntityRow[]
}

export interface Checkpoint {
  readonly subjects: readonly SubjectRow[]
  readonly entities: readonly EntityRow[]
  /** Journal entries that are in these digests, or in earlier ones. */
  readonly consumed: readonly number[]
  /** Subjects whose state can go. */
  readonly forgotten: readonly string[]
  /** Subjects in memory; absent: 0. */
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
  /** See entity-codec. */
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
  /** Summaries of days, side by side in order of time. One of a day that has rows too is to be ignored. */
  readonly days: Uint8Array
}

/** Another node has opened the partition since. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}
