import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import { Distribution } from './distribution.ts'

/**
 * A distribution in bytes; v is a varint, z a signed one.
 *
 *   | v head | v unit | bucket ... | v min | v max | z sum |     head 0: empty, nothing follows
 *
 *   head    2 x number of buckets + 1 if every value is min: then max and sum are left out, being min and min x count
 *   unit    16 x countUnit + valueShift: the most frequent count, and the power of two that divides min, max and sum
 *   bucket  | 4 bits step | 4 bits count | v step - 15, where step is 15 | v count in full, where count is 15 |
 *           step: buckets skipped since the one before; count: count / countUnit - 1
 *   min     above the least value of the first bucket, in units of 2^valueShift, as the two below
 *   max     above the least value of the last bucket
 *   sum     above what it would be if every value were the least of its bucket
 */
export function writeDistribution(writer: ByteWriter, distribution: Distribution): void {
  const { buckets, counts, sum, min, max } = distribution.parts()
  const size = buckets.length
  if (size === 0) {
    writer.varint(0)
    return
  }
  const single = min === max && sum === BigInt(min) * BigInt(distribution.count)
  const countUnit = mostFrequent(counts)
  const shift = Math.min(trailingZeros(BigInt(min)), trailingZeros(BigInt(max)), trailingZeros(sum))
  writer.varint(size * 2 + (single ? 1 : 0))
  writer.varint(countUnit * 16 + shift)
  let previous = -1
  for (let index = 0; index < size; index++) {
    const step = buckets[index]! - previous - 1
    const units = counts[index]! / countUnit
    const short = Number.isInteger(units) && units <= 15
    previous = buckets[index]!
    writer.byte((Math.min(step, 15) << 4) | (short ? units - 1 : 15))
    if (step >= 15) writer.varint(step - 15)
    if (!short) writer.varint(counts[index]!)
  }
  const scale = 2 ** shift
  writer.varint(min / scale - Math.floor(bucketLower(buckets[0]!) / scale))
  if (single) return
  writer.varint(max / scale - Math.floor(bucketLower(buckets[size - 1]!) / scale))
  writer.signedBig((sum >> BigInt(shift)) - leastSum(buckets, counts, scale))
}

export function readDistribution(reader: ByteReader): Distribution {
  const head = reader.varint()
  if (head === 0) return new Distribution()
  const size = Math.floor(head / 2)
  if (size === 0 || size > bucketCount) throw new MalformedBytes(`a distribution of ${size} buckets`)
  const unit = reader.varint()
  const countUnit = Math.floor(unit / 16)
  const shift = unit % 16
  const buckets = new Uint16Array(size)
  const counts = new Float64Array(size)
  let bucket = -1
  for (let index = 0; index < size; index++) {
    const byte = reader.byte()
    bucket += 1 + (byte >> 4) + (byte >> 4 === 15 ? reader.varint() : 0)
    if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
    buckets[index] = bucket
    counts[index] = (byte & 15) === 15 ? reader.varint() : (1 + (byte & 15)) * countUnit
  }
  const scale = 2 ** shift
  const min = (reader.varint() + Math.floor(bucketLower(buckets[0]!) / scale)) * scale
  const single = head % 2 === 1
  const max = single ? min : (reader.varint() + Math.floor(bucketLower(bucket) / scale)) * scale
  if (max < min || max > maxValue) throw new MalformedBytes(`a distribution from ${min} to ${max}`)
  const sum = single
    ? BigInt(min) * BigInt(counts.reduce((count, more) => count + more, 0))
    : (reader.signedBig() + leastSum(buckets, counts, scale)) << BigInt(shift)
  if (sum < 0n) throw new MalformedBytes('a distribution of negative sum')
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

/** The least of them where several are; at most 2^48, to leave room for the shift beside it. */
function mostFrequent(counts: Iterable<number>): number {
  const sorted = Float64Array.from(counts).sort()
  let best = sorted[0]!
  let bestRun = 0
  for (let start = 0, index = 1; index <= sorted.length; index++) {
    if (sorted[index] === sorted[start]) continue
    if (index - start > bestRun) {
      bestRun = index - start
      best = sorted[start]!
    }
    start = index
  }
  return Math.min(best, maxValue)
}

/** At most 15; of 0, 15. */
function trailingZeros(value: bigint): number {
  const low = Number(value & 0x7fffn)
  return low === 0 ? 15 : 31 - Math.clz32(low & -low)
}
