import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { hourMs } from '../domain/time.ts'
import { summariseDay } from '../usage/day/summarise-day.ts'
import { decodeDigests, encodeDigests } from '../usage/digest/codec.ts'
import { type Digest, isEmptyDigest, mergeDigest } from '../usage/digest/digest.ts'
import { levelMarks } from '../usage/digest/memory-marks.ts'
import type { CompactDay, Partition, UsageStore } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import type { IngestDeps } from './ingest-deps.ts'

/**
 * Merges each subject's day that is over into one row and a summary, the latest first, up to about `most` days. Only the
 * holder of the partition may do so: a part that is still open in memory would be written again in addition to the day's
 * row, and count twice. Returns the number of days.
 */
export async function compactDays(
  store: UsageStore,
  partition: Partition,
  epoch: number,
  beforeHour: number,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let compacted = 0
  while (compacted < most) {
    const loose = await store.loose(partition, beforeHour, daysAtOnce)
    if (loose.length === 0) break
    const days = loose.map(({ key, day, rows }) => ({ key, day, ...packDay(rows) }))
    await store.compact(partition, epoch, days)
    compacted += days.length
  }
  return compacted
}

/** Merges the rows of a day into one digest per hour, and summarises them. Digests without data are left out. */
export function packDay(rows: readonly Uint8Array[]): Pick<CompactDay, 'bytes' | 'summary'> {
  const hours = new Map<number, Digest>()
  for (const digest of rows.flatMap((bytes) => decodeDigests(bytes))) {
    const known = hours.get(digest.hour)
    if (known === undefined) hours.set(digest.hour, digest)
    else mergeDigest(known, digest)
  }
  const digests = levelMarks(
    [...hours.values()].filter((digest) => !isEmptyDigest(digest)).sort((a, b) => a.hour - b.hour),
  )
  return { bytes: encodeDigests(digests), summary: summariseDay(digests) }
}

const daysAtOnce = 200

/**
 * Removes usage that is older than the retention of its organisation, and compacts days that are no longer digested. One
 * node at a time does this, in small steps, so that requests do not wait.
 */
export async function enforceRetention(
  { store, holder, now }: IngestDeps,
  retentionDaysOf: (organisation: string) => number,
): Promise<{ pruned: number; compacted: number }> {
  if (!(await store.leases.acquire(lease, holder, leaseMs))) return { pruned: 0, compacted: 0 }
  try {
    const nowHour = Math.floor(now() / hourMs)
    const partitions = await store.usage.partitions()
    const maxDays = Math.max(...partitions.map(({ organisation }) => retentionDaysOf(organisation)))
    if (partitions.length > 0) await store.usage.dropDays(nowHour - 24 * maxDays)
    const pruned = await prune(store, partitions, nowHour, retentionDaysOf)
    let compacted = 0
    for (const partition of partitions)
      compacted += await compact(store, partition, nowHour, retentionHolder(holder))
    return { pruned, compacted }
  } finally {
    await store.leases.release(lease, holder)
  }
}

async function prune(
  { usage }: IngestDeps['store'],
  partitions: readonly Partition[],
  nowHour: number,
  retentionDaysOf: (organisation: string) => number,
): Promise<number> {
  let pruned = 0
  for (const organisation of new Set(partitions.map((partition) => partition.organisation))) {
    const before = nowHour - 24 * retentionDaysOf(organisation)
    for (let rows = -1; rows !== 0; pruned += rows) {
      rows = await usage.prune(organisation, before, rowsAtOnce)
      await turnOfEventLoop()
    }
  }
  return pruned
}

async function compact(
  { usage, leases }: IngestDeps['store'],
  partition: Partition,
  nowHour: number,
  holder: string,
): Promise<number> {
  const [loose] = await usage.loose(partition, nowHour - 24, 1)
  if (loose === undefined) return 0
  if (!(await leases.acquire(partitionLease(partition), holder, leaseMs))) return 0
  try {
    return await compactDays(usage, partition, await usage.fence(partition), nowHour - 1)
  } finally {
    await leases.release(partitionLease(partition), holder)
  }
}

/** Differs from the holder that digests on this node, because that one must not be fenced off. */
const retentionHolder = (holder: string): string => `${holder} keeping house`

const lease = 'usage-housekeeping'
const leaseMs = 10 * 60_000
const rowsAtOnce = 1000
