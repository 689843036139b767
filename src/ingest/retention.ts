import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { hourMs } from '../domain/time.ts'
import { withLease } from '../store/with-lease.ts'
import { summariseDay } from '../usage/day/summarise-day.ts'
import { decodeDigests, encodeDigests } from '../usage/digest/codec.ts'
import { type Digest, isEmptyDigest, mergeDigest } from '../usage/digest/digest.ts'
import { levelMarks } from '../usage/digest/memory-marks.ts'
import type { CompactDay, Partition, UsageStore } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import { type IngestDeps, type RetentionDays, retentionDaysOf } from './ingest-deps.ts'

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

/** One node at a time, in small steps, so that requests do not wait. Compacts days that are no longer digested. */
export async function enforceRetention(
  { store, now }: Pick<IngestDeps, 'store' | 'now'>,
  retention: RetentionDays,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ droppedDays: number; pruned: number; compacted: number }> {
  const done = await withLease(store.leases, lease, { ttlMs: leaseMs }, async () => {
    const nowHour = Math.floor(now() / hourMs)
    const partitions = await store.usage.partitions()
    const maxDays = Math.max(
      ...partitions.map(({ organisation }) => retentionDaysOf(retention, organisation)),
    )
    const droppedDays = partitions.length > 0 ? await store.usage.dropDays(nowHour - 24 * maxDays) : 0
    const failures: unknown[] = []
    let [pruned, compacted] = [0, 0]
    for (const organisation of new Set(partitions.map((partition) => partition.organisation)))
      try {
        pruned += await prune(store, organisation, nowHour, retention, signal)
      } catch (error) {
        failures.push(error)
      }
    for (const partition of partitions) {
      if (signal.aborted) break
      compacted += (await compact(store, partition, nowHour, signal)) ?? 0
    }
    // If the usage of one organisation cannot be removed, that of the others still is.
    if (failures.length > 0) throw failures[0]
    return { droppedDays, pruned, compacted }
  })
  return done ?? { droppedDays: 0, pruned: 0, compacted: 0 }
}

async function prune(
  { usage }: IngestDeps['store'],
  organisation: string,
  nowHour: number,
  retention: RetentionDays,
  signal: AbortSignal,
): Promise<number> {
  const before = nowHour - 24 * retentionDaysOf(retention, organisation)
  let pruned = 0
  for (let rows = -1; rows !== 0 && !signal.aborted; pruned += rows) {
    rows = await usage.prune(organisation, before, rowsAtOnce)
    await turnOfEventLoop()
  }
  return pruned
}

async function compact(
  { usage, leases }: IngestDeps['store'],
  partition: Partition,
  nowHour: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [loose] = await usage.loose(partition, nowHour - 24, 1)
  if (loose === undefined) return 0
  // The lease has another holder than those of this node's digesters, which must not be fenced off.
  return withLease(leases, partitionLease(partition), { ttlMs: leaseMs }, async () => {
    const epoch = await usage.fence(partition)
    let [compacted, days] = [0, 0]
    do {
      days = await compactDays(usage, partition, epoch, nowHour - 1, 1)
      compacted += days
    } while (days > 0 && !signal.aborted)
    return compacted
  })
}

const lease = 'usage-retention'
/** A node that dies holds a partition for this long. */
const leaseMs = 15_000
const rowsAtOnce = 1000
