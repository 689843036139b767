import { subjectOfKey } from '../domain/subject.ts'
import { dayHours } from '../domain/time.ts'
import { dailyKinds } from '../domain/usage-series.ts'
import type {
  CompactDay,
  DayRange,
  DigestQuery,
  EntityRow,
  JournalEntry,
  Partition,
  SubjectRow,
} from '../usage/port.ts'
import { NotStorable } from './port.ts'
import { checkOrganisation, checkText, checkTime } from './storable.ts'

/** Keys contain NUL, which PostgreSQL's text cannot, and they are compared by bytes. */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.from(key)
  if (bytes.length > maxKeyBytes || !key.isWellFormed())
    throw new NotStorable(`a key of ${bytes.length} bytes is longer than ${maxKeyBytes}, or is no valid text`)
  return bytes
}

export const keyFromBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

/** Together with an organisation, a key must fit into PostgreSQL's index row of 2,704 bytes. */
const maxKeyBytes = 2400

/** The range [from, to) of the keys of a query. Each part of a key ends with NUL, and so does the prefix. */
export function keyRange({ kind, cluster, namespace, vm }: DigestQuery): { from: Buffer; to: Buffer } {
  let prefix = kind === 'container' ? 'c\0' : 'p\0'
  const first = kind === 'container' ? cluster : vm
  if (first !== undefined) {
    prefix += `${first}\0`
    if (kind === 'container' && namespace !== undefined) prefix += `${namespace}\0`
  }
  const from = Buffer.from(prefix)
  const to = Buffer.from(prefix)
  to[to.length - 1] = 1
  return { from, to }
}

/** Returns the keys that a query names, after a given one and within its range, ordered by bytes. */
export function namedKeys(query: DigestQuery, after: string | undefined): Buffer[] {
  const { from, to } = keyRange(query)
  const last = Buffer.from(after ?? '')
  return (query.keys ?? [])
    .map((key) => Buffer.from(key))
    .filter(
      (key) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0 && Buffer.compare(key, last) > 0,
    )
    .sort(Buffer.compare)
}

/** Checks the condition that the key range does not cover: a namespace in any cluster. */
export function matchesQuery(key: string, { kind, cluster, namespace }: DigestQuery): boolean {
  if (kind !== 'container' || namespace === undefined || cluster !== undefined) return true
  return key.split('\0')[2] === namespace
}

/** And the first hour of the day in which they begin, within the limits of both databases. */
export function hourRange({ fromHour, toHour }: DigestQuery): { day: number; from: number; to: number } {
  const from = Math.max(0, fromHour)
  return { day: dayOfHour(from) * dayHours, from, to: Math.min(lastHour, toHour) }
}

/** Returns the days [from, to) for which a query wants summaries. */
export function summaryRange({ fromHour, toHour, summariesBefore }: DigestQuery): DayRange {
  const until = Math.min(lastHour, toHour, summariesBefore ?? 0)
  const from = Math.ceil(Math.max(0, fromHour) / dayHours)
  return { from, to: Math.max(from, dayOfHour(until)) }
}

const lastHour = 2 ** 31 - 1

/** Rows of epoch 0 cover whole days; those with part 1 have a summary. All others are loose, also days merged before that. */
export const isLooseSql = (row: string): string => `(${row}epoch > 0 OR ${row}part = 0)`

export const dayOfHour = (hour: number): number => Math.floor(hour / dayHours)

export function checkPartition({ organisation, source, shard = 0 }: Partition): void {
  if (!Number.isInteger(shard) || shard < 0 || shard > maxShards)
    throw new NotStorable(`${shard} is not the number of a shard`)
  checkOrganisation(organisation)
  checkText(source)
  if (Buffer.byteLength(source) > maxSourceBytes)
    throw new NotStorable(`"${source.slice(0, 80)}..." is longer than ${maxSourceBytes} bytes`)
}

const maxSourceBytes = 1000
const maxShards = 2 ** 15

export function checkJournalEntry(entry: JournalEntry): void {
  checkPartition(entry.partition)
  checkTime(entry.receivedAt)
  checkText(entry.cluster)
}

export function partitionsOf(entries: readonly JournalEntry[]): Partition[] {
  const named = new Map(entries.map(({ partition }) => [partitionName(partition), partition]))
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, partition]) => partition)
}

export const partitionName = ({ organisation, source, shard = 0 }: Partition): string =>
  `${organisation}\0${source}\0${shard}`

/** Converts a partition as both databases return it. Shard 0 is left out. */
export const partitionFromRow = ({ organisation, source, shard }: Required<Partition>): Partition => ({
  organisation,
  source,
  ...(shard === 0 ? {} : { shard }),
})

/** A row of the table usage_entities, as both databases return it. */
export interface StoredEntityRow {
  readonly key: Uint8Array
  readonly kind: string
  readonly cluster: string
  readonly last_hour: number
  readonly json: string
}

/** Selects the entities that samples may still change: of those of a day only the latest. */
export const openedEntitiesSql = `(kind NOT IN ('${dailyKinds.join("', '")}')
  OR last_hour >= (SELECT max(last_hour) FROM usage_entities WHERE partition = ?) - ${4 * dayHours})`

export const entityFromRow = (row: StoredEntityRow): EntityRow => ({
  key: keyFromBytes(row.key),
  kind: row.kind as EntityRow['kind'],
  cluster: row.cluster,
  lastHour: row.last_hour,
  json: row.json,
})

/** Returns the cluster of each container with the day, each pair once, always in the same order. */
export function clusterDaysOf(compacted: readonly SubjectDay[]): ClusterDay[] {
  const found = new Map<string, ClusterDay>()
  for (const { key, day } of compacted) {
    const subject = subjectOfKey(key)
    if (subject.kind === 'container')
      found.set(`${day} ${subject.cluster}`, { cluster: subject.cluster, day })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clusterDay]) => clusterDay)
}

export type SubjectDay = Pick<CompactDay, 'key' | 'day'>

/** Days before yesterday, whose node loads and answers may be stored already. Usually there are none. */
export function lateDaysOf(
  subjects: readonly Pick<SubjectRow, 'key' | 'digests'>[],
  today: number,
): SubjectDay[] {
  const late: SubjectDay[] = []
  for (const { key, digests } of subjects) {
    let last = Number.NaN
    for (const { hour } of digests) {
      const day = dayOfHour(hour)
      if (day >= today - 1 || day === last) continue
      late.push({ key, day })
      last = day
    }
  }
  return late
}

interface ClusterDay {
  readonly cluster: string
  readonly day: number
}
