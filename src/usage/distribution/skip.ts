import type { ByteReader } from '../../domain/byte-reader.ts'
import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { DistributionConsumer } from './consumer.ts'
import { DistributionHeader, maxExactAddend } from './header.ts'

/** Reads past distributions: of each, count and sum alone. */
export class DistributionSkipper implements DistributionConsumer {
  /** Count and sum of the last distribution read; callers reset them to 0. */
  count = 0
  sum = 0
  readonly #header = new DistributionHeader()
  readonly #one: CountsAndSums = { counts: new Float64Array(1), sums: new Float64Array(1) }

  addFrom(reader: ByteReader): void {
    const one = this.#one
    this.skipInto(reader, one, 0)
    this.count = one.counts[0]!
    this.sum = one.sums[0]!
  }

  /** Reads past one distribution, taking its count and sum down at an index. */
  skipInto(reader: ByteReader, into: CountsAndSums, at: number): void {
    const front = reader.bytes[reader.offset]!
    if (front === 5 ? skimOne(reader, into, at) : skimShort(reader, into, at)) return
    const header = this.#header
    header.read(reader)
    reader.offset = header.end
    into.counts[at] = header.count
    into.sums[at] = header.sum
  }
}

/** Count and sum of several distributions, in columns. */
export interface CountsAndSums {
  readonly counts: Float64Array
  readonly sums: Float64Array
}

/**
 * The usual case by hand, since windows consist of little else: several values, numbers of few bytes. False of any other,
 * and close to the end: then nothing is read.
 */
function skimShort(reader: ByteReader, into: CountsAndSums, at: number): boolean {
  const { bytes, end } = reader
  let { offset } = reader
  if (offset + mostShortBytes > end) return false
  const front = bytes[offset++]!
  if (front === 0 || front & 1) return false
  if (front >= 0x80 && bytes[offset++]! >= 0x80) return false
  let byte = bytes[offset++]!
  let unit = byte & 0x7f
  if (byte >= 0x80) {
    byte = bytes[offset++]!
    unit |= (byte & 0x7f) << 7
    if (byte >= 0x80) {
      byte = bytes[offset++]!
      unit |= byte << 14
      if (byte >= 0x80) return false
    }
  }
  byte = bytes[offset++]!
  let count = byte & 0x7f
  if (byte >= 0x80) {
    byte = bytes[offset++]!
    if (byte >= 0x80) return false
    count |= byte << 7
  }
  byte = bytes[offset++]!
  let low = byte & 0x7f
  for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
    byte = bytes[offset++]!
    low |= (byte & 0x7f) << shift
  }
  let high = 0
  for (let shift = 0; byte >= 0x80; shift += 7) {
    if (shift > 14) return false
    byte = bytes[offset++]!
    high |= (byte & 0x7f) << shift
  }
  byte = bytes[offset++]!
  let length = byte & 0x7f
  if (byte >= 0x80) {
    byte = bytes[offset++]!
    length |= (byte & 0x7f) << 7
  }
  const sum = (high * 2 ** 28 + low) * (1 << (unit & 15))
  if (byte >= 0x80 || offset + length > end || sum >= maxExactAddend) return false
  into.counts[at] = count * (front & 2 ? 1 : unit >> 4)
  into.sums[at] = sum
  reader.offset = offset + length
  return true
}

/** One value alone, and as above. */
function skimOne(reader: ByteReader, into: CountsAndSums, at: number): boolean {
  const { bytes, end } = reader
  let offset = reader.offset + 1
  if (offset + mostShortBytes > end) return false
  let byte = bytes[offset++]!
  let unit = byte & 0x7f
  if (byte >= 0x80) {
    byte = bytes[offset++]!
    unit |= byte << 7
    if (byte >= 0x80) return false
  }
  const packed = bytes[offset++]!
  let bucket = packed >> 4
  if (bucket === 15) {
    byte = bytes[offset++]!
    bucket += byte & 0x7f
    if (byte >= 0x80) {
      byte = bytes[offset++]!
      if (byte >= 0x80) return false
      bucket += byte << 7
    }
  }
  let count = (1 + (packed & 15)) * (unit >> 4)
  if ((packed & 15) === 15) {
    byte = bytes[offset++]!
    count = byte & 0x7f
    if (byte >= 0x80) {
      byte = bytes[offset++]!
      if (byte >= 0x80) return false
      count |= byte << 7
    }
  }
  byte = bytes[offset++]!
  let above = byte & 0x7f
  for (let shift = 7; byte >= 0x80; shift += 7) {
    if (shift > 21) return false
    byte = bytes[offset++]!
    above |= (byte & 0x7f) << shift
  }
  if (bucket >= bucketCount) return false
  const scale = 1 << (unit & 15)
  const value = (above + Math.floor(bucketLower(bucket) / scale)) * scale
  const sum = value * count
  if (value > maxValue || sum >= maxExactAddend) return false
  into.counts[at] = count
  into.sums[at] = sum
  reader.offset = offset
  return true
}

/** Maximum bytes of a short form. Single value: unit 2, bucket 3, count 2, value 4. Several values: head 2, unit 3, count 2, sum 7, bytes 2. */
const mostShortBytes = 16
