import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import { Distribution } from './distribution.ts'

/**
 * A distribution in bytes; v is a varint.
 *
 *   | v size | v unit | size x bucket | min | max | sum |        size 0: nothing follows
 *
 *   unit    | v 16 x (countUnit - 1) + valueShift |   countUnit divides every count, 2^valueShift divides min, max and sum
 *   bucket  | 4 bits step | 4 bits count |  then  | v step - 15 | where step is 15,  | v count - 15 | where count is 15
 *           step: buckets skipped since the one before; count: count / countUnit - 1
 *   min     | v min - least value of the first bucket |   in units of 2^valueShift, as are the two below
 *   max     | v max - least value of the last bucket |    absent, with sum, where all values are min: max = min, sum = min x count
 *   sum     | v sum - what it would be if every value were the least of its bucket |
 *
 * The first varint's lowest bit says that all values are min: it is size x 2 + (1 if so).
 */
export function writeDistribution(writer: ByteWriter, distribution: Distribution): void {
  const { buckets, counts, sum, min, max } = distribution.parts()
  const size = buckets.length
  if (size === 0) {
    writer.varint(0)
    return
  }
  const single = min === max
  const countUnit = greatestCommonDivisor(counts)
  const shift = Math.min(trailingZeros(BigInt(min)), trailingZeros(BigInt(max)), trailingZeros(sum))
  writer.varint(size * 2 + (single ? 1 : 0))
  writer.varint((countUnit - 1) * 16 + shift)
  let previous = -1
  for (let index = 0; index < size; index++) {
    const step = buckets[index]! - previous - 1
    const count = counts[index]! / countUnit - 1
    previous = buckets[index]!
    writer.byte((Math.min(step, 15) << 4) | Math.min(count, 15))
    if (step >= 15) writer.varint(step - 15)
    if (count >= 15) writer.varint(count - 15)
  }
  const scale = 2 ** shift
  writer.varint(min / scale - Math.floor(bucketLower(buckets[0]!) / scale))
  if (single) return
  writer.varint(max / scale - Math.floor(bucketLower(buckets[size - 1]!) / scale))
  writer.bigVarint((sum >> BigInt(shift)) - leastSum(buckets, counts, scale))
}

export function readDistribution(reader: ByteReader): Distribution {
  const head = reader.varint()
  if (head === 0) return new Distribution()
  const size = Math.floor(head / 2)
  if (size === 0 || size > bucketCount) throw new MalformedBytes(`a distribution of ${size} buckets`)
  const unit = reader.varint()
  const countUnit = Math.floor(unit / 16) + 1
  const shift = unit % 16
  const buckets = new Uint16Array(size)
  const counts = new Float64Array(size)
  let bucket = -1
  for (let index = 0; index < size; index++) {
    const byte = reader.byte()
    bucket += 1 + (byte >> 4) + (byte >> 4 === 15 ? reader.varint() : 0)
    if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
    buckets[index] = bucket
    counts[index] = (1 + (byte & 15) + ((byte & 15) === 15 ? reader.varint() : 0)) * countUnit
  }
  const scale = 2 ** shift
  const min = (reader.varint() + Math.floor(bucketLower(buckets[0]!) / scale)) * scale
  if (head % 2 === 1)
    return Distribution.from({ buckets, counts, min, max: min, sum: BigInt(min) * BigInt(counts[0]!) })
  const max = (reader.varint() + Math.floor(bucketLower(bucket) / scale)) * scale
  const sum = (reader.bigVarint() + leastSum(buckets, counts, scale)) << BigInt(shift)
  if (max <= min || max > maxValue) throw new MalformedBytes(`a distribution from ${min} to ${max}`)
  return Distribution.from({ buckets, counts, min, max, sum })
}

function leastSum(buckets: ArrayLike<number>, counts: ArrayLike<number>, scale: number): bigint {
  let small = 0
  let large = 0n
  for (let index = 0; index < buckets.length; index++) {
    const low = Math.floor(bucketLower(buckets[index]!) / scale)
    const product = low * counts[index]!
    if (small + product <= Number.MAX_SAFE_INTEGER) small += product
    else large += BigInt(low) * BigInt(counts[index]!)
  }
  return large + BigInt(small)
}

function greatestCommonDivisor(counts: ArrayLike<number>): number {
  let divisor = counts[0]!
  for (let index = 1; index < counts.length && divisor > 1; index++) {
    let other = counts[index]!
    while (other !== 0) [divisor, other] = [other, divisor % other]
  }
  return divisor
}

/** At most 15; of 0, 15. */
function trailingZeros(value: bigint): number {
  const low = Number(value & 0x7fffn)
  return low === 0 ? 15 : 31 - Math.clz32(low & -low)
}
