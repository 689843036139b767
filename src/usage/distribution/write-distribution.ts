import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { bucketLower, maxValue } from './buckets.ts'
import type { Distribution } from './distribution.ts'
import { maxExactAddend } from './read-distribution.ts'

/**
 * A distribution in bytes; v is a varint.
 *
 *   | v head | v unit | v count | v sum | v bytes | bucket ... | v min | v max |     head 0: empty, nothing follows
 *
 *   head    4 x number of buckets + 2 if count is in full + 1 if every value is min: then count, sum, bytes and max are
 *           left out, being the bucket's count, min x count, and min
 *   unit    16 x countUnit + valueShift: the most frequent count, and the power of two that divides min, max and sum
 *   count   of all buckets, in units of countUnit unless it is in full
 *   sum     in units of 2^valueShift
 *   bytes   of all that follows, so that a reader of count and sum alone can skip it
 *   bucket  | 4 bits step | 4 bits count | v step - 15, if step is 15 | v count in full, if count is 15 |
 *           step: buckets skipped since the one before; count: count / countUnit - 1
 *   min     distance above the least value of the first bucket, in units of 2^valueShift
 *   max     distance above the least value of the last bucket, in units of 2^valueShift
 *
 * read-distribution.ts reads it. Version 1 had neither count nor bytes; see codec-v1.ts.
 */
export function writeDistribution(writer: ByteWriter, distribution: Distribution): void {
  const { buckets, counts, sum, min, max } = distribution.parts()
  const size = buckets.length
  if (size === 0) {
    writer.varint(0)
    return
  }
  const { count } = distribution
  const single = min === max && sum === BigInt(min) * BigInt(count)
  const countUnit = mostFrequent(counts)
  const shift = Math.min(trailingZeros(BigInt(min)), trailingZeros(BigInt(max)), trailingZeros(sum))
  const inFull = !single && count % countUnit !== 0
  writer.varint(size * 4 + (inFull ? 2 : 0) + (single ? 1 : 0))
  writer.varint(countUnit * 16 + shift)
  const body = single ? writer : new ByteWriter()
  let previous = -1
  for (let index = 0; index < size; index++) {
    const step = buckets[index]! - previous - 1
    const units = counts[index]! / countUnit
    const short = Number.isInteger(units) && units <= 15
    previous = buckets[index]!
    body.byte((Math.min(step, 15) << 4) | (short ? units - 1 : 15))
    if (step >= 15) body.varint(step - 15)
    if (!short) body.varint(counts[index]!)
  }
  const scale = 2 ** shift
  body.varint(min / scale - Math.floor(bucketLower(buckets[0]!) / scale))
  if (single) return
  body.varint(max / scale - Math.floor(bucketLower(buckets[size - 1]!) / scale))
  writer.varint(inFull ? count : count / countUnit)
  const scaledSum = sum >> BigInt(shift)
  if (scaledSum < maxExactAddend) writer.varint(Number(scaledSum))
  else writer.bigVarint(scaledSum)
  writer.varint(body.length)
  writer.raw(body.finish())
}

/** The smallest one if several counts are equally frequent; below 2^48, to leave bits for the shift. */
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

/** Number of trailing zero bits, at most 15; 15 for the value 0. */
function trailingZeros(value: bigint): number {
  const low = Number(value & 0x7fffn)
  return low === 0 ? 15 : 31 - Math.clz32(low & -low)
}
