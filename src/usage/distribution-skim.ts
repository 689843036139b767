import type { ByteReader } from './bytes.ts'
import type { DistributionTaker } from './digest-cursor.ts'
import { DistributionHead, exact } from './distribution-head.ts'

/** Reads past distributions: of each, count and sum alone. */
export class DistributionSkim implements DistributionTaker {
  readonly #head = new DistributionHead()
  /** Of the last one since these were set to 0. */
  count = 0
  sum = 0

  addFrom(reader: ByteReader): void {
    if (this.#readShort(reader)) return
    const head = this.#head
    head.read(reader)
    reader.offset = head.end
    this.count = head.count
    this.sum = head.sum
  }

  /**
   * The usual case by hand, since windows consist of little else: several values, numbers of few bytes. False of any
   * other, and of bytes that end early: then nothing is read.
   */
  #readShort(reader: ByteReader): boolean {
    const { bytes, end } = reader
    let { offset } = reader
    if (offset + mostShortBytes > end) return false
    const head = bytes[offset++]!
    if (head === 0 || head & 1) return false
    if (head >= 0x80 && bytes[offset++]! >= 0x80) return false
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
    if (byte >= 0x80 || offset + length > end || sum >= exact) return false
    this.count = count * (head & 2 ? 1 : unit >> 4)
    this.sum = sum
    reader.offset = offset + length
    return true
  }
}

/** Head 2, unit 3, count 2, sum 7, bytes 2. */
const mostShortBytes = 16
