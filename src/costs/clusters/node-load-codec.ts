import { dayHours, hourSeconds } from '../../domain/time.ts'
import { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import type { DayRange, NodeLoadDay } from '../../usage/port.ts'
import type { SeenByHour } from '../allocation/hour-columns.ts'
import type { NodeLoads } from '../allocation/nodes.ts'

/** Loads of the nodes of a cluster in some hours, and when anything was seen in each hour. */
export interface LoadsByHour {
  readonly loads: NodeLoads
  readonly ends: SeenByHour
}

/**
 * Encodes one day; v is a varint.
 *
 *   | v version = 3 | v left, v end: for each of 24 hours | v nodes | node ... |
 *
 *   left   seconds of the hour that were left when anything was first seen
 *   end    1 + second of the hour at which anything was last seen; 0 if nothing was seen
 *   node   | name | v first hour | v hours | v has GPUs | cores, GiB: for each hour | GPUs: for each hour | v left, v last: for each hour |
 *          cores, GiB and GPUs are float64, lowest byte first; left and last are seconds, as in HourColumns
 */
export function encodeLoadDay({ loads, ends }: LoadsByHour, day: number): Uint8Array {
  const firstHour = day * dayHours
  const writer = new ByteWriter(4096)
  writer.varint(version)
  for (let hour = firstHour; hour < firstHour + dayHours; hour++) {
    writer.varint(ends.secondsLeftIn(hour))
    writer.varint(ends.endOf(hour))
  }
  const nodes = [...loads.entries()].filter(
    ([, { first, end }]) => first < firstHour + dayHours && end > firstHour,
  )
  writer.varint(nodes.length)
  for (const [name, { first, end, cores, gib, gpus, secondsLeft, lasts }] of nodes) {
    const from = Math.max(first, firstHour)
    const to = Math.min(end, firstHour + dayHours)
    writer.text(name)
    writer.varint(from - firstHour)
    writer.varint(to - from)
    writer.varint(gpus.length > 0 ? 1 : 0)
    for (let hour = from; hour < to; hour++) {
      writer.float64(cores[hour - first]!)
      writer.float64(gib[hour - first]!)
    }
    if (gpus.length > 0) for (let hour = from; hour < to; hour++) writer.float64(gpus[hour - first]!)
    for (let hour = from; hour < to; hour++) {
      writer.varint(secondsLeft[hour - first]!)
      writer.varint(lasts[hour - first]!)
    }
  }
  return writer.finish()
}

/** Adds what encodeLoadDay wrote. Returns false, and adds nothing, if another version wrote it. */
export function addLoadDay({ loads, ends }: LoadsByHour, day: number, bytes: Uint8Array): boolean {
  const firstHour = day * dayHours
  const reader = new ByteReader(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (reader.varint() !== version) return false
  for (let hour = firstHour; hour < firstHour + dayHours; hour++)
    ends.extend(hour, reader.below(hourSeconds + 1, 'seconds left'), reader.varint())
  for (let left = reader.varint(); left > 0; left--) {
    const name = reader.text()
    const from = firstHour + reader.below(dayHours, 'a first hour')
    const to = from + reader.below(dayHours + 1, 'hours')
    const hasGpus = reader.varint() === 1
    let { offset } = reader
    reader.skip((to - from) * (hasGpus ? 24 : 16))
    if (from === to) continue
    const columns = loads.from(name, from)
    columns.cover(from, to - 1)
    const { first, cores, gib } = columns
    for (let at = from - first; at < to - first; at++, offset += 16) {
      cores[at]! += view.getFloat64(offset, true)
      gib[at]! += view.getFloat64(offset + 8, true)
    }
    if (hasGpus)
      for (let hour = from; hour < to; hour++, offset += 8)
        columns.addGpus(hour, view.getFloat64(offset, true))
    for (let hour = from; hour < to; hour++)
      columns.extend(
        hour,
        reader.below(hourSeconds + 1, 'seconds left'),
        reader.below(hourSeconds + 1, 'a last second'),
      )
  }
  return true
}

const version = 3

export function* encodedDays(
  fresh: LoadsByHour,
  { from, to }: DayRange,
  readAt: number,
): Generator<NodeLoadDay> {
  for (let day = from; day < to; day++) yield { day, readAt, bytes: encodeLoadDay(fresh, day) }
}
