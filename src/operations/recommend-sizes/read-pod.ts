import type { ContainerSubject } from '../../domain/subject.ts'
import { ByteReader } from '../../usage/bytes.ts'
import { decodeDigests, encodeDigests } from '../../usage/digest-codec.ts'
import { DigestCursor } from '../../usage/digest-cursor.ts'
import type { StoredSubject } from '../../usage/port.ts'
import { combineHours } from '../../usage/window.ts'
import { PodReading } from './pod-reading.ts'
import type { Hours, PodUsage } from './pod-usage.ts'

/**
 * Reads one container's digests hour by hour, straight from their bytes; undefined where it never ran in these hours.
 * Its spans are the 24 hours before the latest, and before them whole days.
 */
export function readPod(
  subject: ContainerSubject,
  rows: StoredSubject['rows'],
  hours: Hours,
  latestHour = hours.to,
): PodUsage | undefined {
  const reading =
    pass(
      rows.map(({ bytes }) => bytes),
      hours,
      latestHour,
    ) ?? pass([inOrder(rows)], hours, latestHour)
  return reading!.finish(subject)
}

/** Undefined where the hours do not ascend from row to row. */
function pass(rows: readonly Uint8Array[], { from, to }: Hours, latestHour: number): PodReading | undefined {
  const reading = new PodReading({ from, to }, latestHour)
  let before = Number.NEGATIVE_INFINITY
  for (const bytes of rows) {
    const cursor = new DigestCursor(new ByteReader(bytes))
    reading.follow(cursor)
    while (cursor.next(reading.cpu, reading.memory)) {
      if (cursor.hour <= before) return undefined
      before = cursor.hour
      if (cursor.hour >= from && cursor.hour < to) reading.takeHour()
    }
  }
  return reading
}

/** One digest an hour; needed only where an hour was told in parts or by several sources. */
const inOrder = (rows: StoredSubject['rows']): Uint8Array =>
  encodeDigests(
    combineHours(
      rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((digest) => ({ source, digest }))),
    ),
  )
