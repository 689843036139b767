import { decodeDigests, encodeDay } from '../usage/digest/codec.ts'
import type { Digest } from '../usage/digest/digest.ts'
import { isEmptyDigest, mergeDigest } from '../usage/digest/digest.ts'
import { MarksOverHours } from '../usage/digest/memory-marks.ts'
import type { Partition, UsageStore } from '../usage/port.ts'

/**
 * Makes one row of each subject's day that is over. Only who holds the partition may: a part that is still open in memory
 * would be written again beside the day's row, and count twice. How many days became one row.
 */
export async function compactDays(
  store: UsageStore,
  partition: Partition,
  epoch: number,
  beforeHour: number,
): Promise<number> {
  let compacted = 0
  for (;;) {
    const loose = await store.loose(partition, beforeHour, daysAtOnce)
    if (loose.length === 0) return compacted
    const days = loose.map(({ key, day, rows }) => ({ key, day, bytes: packDay(rows) }))
    await store.compact(partition, epoch, days)
    compacted += days.length
  }
}

/** One digest per hour, all of one day; digests without data are left out. */
export function packDay(rows: readonly Uint8Array[]): Uint8Array {
  const hours = new Map<number, Digest>()
  for (const digest of rows.flatMap((bytes) => decodeDigests(bytes))) {
    const known = hours.get(digest.hour)
    if (known === undefined) hours.set(digest.hour, digest)
    else mergeDigest(known, digest)
  }
  const telling = [...hours.values()].filter((digest) => !isEmptyDigest(digest))
  return encodeDay(levelMarks(telling.sort((a, b) => a.hour - b.hour)))
}

/** Marks of memory are kept by the day: equal ones are written once. */
function levelMarks(digests: Digest[]): Digest[] {
  const marks = new MarksOverHours()
  for (const digest of digests) marks.add(digest)
  return digests.map((digest) => ({ ...digest, ...marks.total }))
}

const daysAtOnce = 200
