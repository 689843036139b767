import { type ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { bucketCount, bucketLower, maxValue, newBucketColumns, ReusableParts } from './buckets.ts'
import { Distribution } from './distribution.ts'

/**
 * A distribution in digests of version 1; v is a varint, z a signed one. It is read but no longer written.
 *
 *   | v head | v unit | bucket ... | v min | v max | z sum |     head 0: empty, nothing follows
 *
 *   head    2 x number of buckets + 1 if every value is min: then max and sum are left out, being min and min x count
 *   sum     above what it would be if every value were the least of its bucket, in units of 2^valueShift
 *
 * The rest is as in write-distribution.ts.
 */
export function readDistributionV1(reader: ByteReader): Distribution {
  const head = reader.varint()
  if (head === 0) return new Distribution()
  const size = Math.floor(head / 2)
  if (size === 0 || size > bucketCount) throw new MalformedBytes(`a distribution of ${size} buckets`)
  const unit = reader.varint()
  const countUnit = Math.floor(unit / 16)
  const shift = unit % 16
  const columns = newBucketColumns(size)
  const { buckets, counts } = columns
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
  const count = counts.reduce((all, more) => all + more, 0)
  const sum = single
    ? BigInt(min) * BigInt(count)
    : (reader.signedBig() + minSum(buckets, counts, scale)) << BigInt(shift)
  if (sum < 0n) throw new MalformedBytes('a distribution of negative sum')
  return Distribution.adopt(
    Object.assign(new ReusableParts(), { columns, size, count, largeSum: sum, min, max }),
  )
}

function minSum(buckets: Uint16Array, counts: Float64Array, scale: number): bigint {
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
