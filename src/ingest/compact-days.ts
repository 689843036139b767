import { summariseDay } from '../usage/day/summarise-day.ts'
import { decodeDigests, encodeDigests } from '../usage/digest/codec.ts'
import type { Digest } from '../usage/digest/digest.ts'
import { isEmptyDigest, mergeDigest } from '../usage/digest/digest.ts'
import { levelMarks } from '../usage/digest/memory-marks.ts'
import type { CompactDay, Partition, UsageStore } from '../usage/port.ts'

/**
 * Makes one row and a summary of each subject's day that is over, the latest first, about so many at most. Only who holds the
 * partition may: a part that is still open in memory would be written again beside the day's row, and count twice. How many
 * days became one row.
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

/** One digest per hour, all of one day, and their summary; digests without data are left out. */
export function packDay(rows: readonly Uint8Array[]): Pick<CompactDay, 'bytes' | 'summary'> {
  const hours = new Map<number, Digest>()
  for (const digest of rows.flatMap((bytes) => decodeDigests(bytes))) {
    const known = hours.get(digest.hour)
    if (known === undefined) hours.set(digest.hour, digest)
    else mergeDigest(known, digest)
  }
  const telling = levelMarks(
    [...hours.values()].filter((digest) => !isEmptyDigest(digest)).sort((a, b) => a.hour - b.hour),
  )
  return { bytes: encodeDigests(telling), summary: summariseDay(telling) }
}

const daysAtOnce = 200
