/** Values are whole numbers from 0 to this: 281 TB in bytes, 281 million cores in microcores. */
export const maxValue = 2 ** 48 - 1

/**
 * Bucket k holds the whole numbers from lower[k] to lower[k + 1] - 1. Bucket 0 holds 0 alone; every other is the widest
 * whose ends are both within 1% of one number between them: upper / lower <= 1.01 / 0.99.
 * Whole-number ends make the bucket of a value the same on every machine, whatever its logarithm rounds to.
 */
const lower = buildLower()
export const bucketCount = lower.length - 1

export const bucketLower = (bucket: number): number => lower[bucket]!

/** 2lu / (l + u), from which both ends are equally far, relatively: (u - l) / (u + l). */
export function bucketValue(bucket: number): number {
  if (bucket === 0) return 0
  const low = lower[bucket]!
  const high = lower[bucket + 1]! - 1
  return low === high ? low : (2 * low * high) / (low + high)
}

export function bucketOf(value: number): number {
  if (value < exactBelow) return value
  let bucket = exactBelow + ((Math.log(value / exactBelow) * bucketsPerE) | 0)
  if (bucket >= bucketCount) bucket = bucketCount - 1
  while (lower[bucket]! > value) bucket--
  while (lower[bucket + 1]! <= value) bucket++
  return bucket
}

function buildLower(): Float64Array {
  const ends = [0, 1]
  for (let low = 1; low <= maxValue; ) {
    low = Math.floor((low * 101) / 99) + 1
    ends.push(low)
  }
  return Float64Array.from(ends)
}

/** By bucket. */
export const bucketValues = Float64Array.from({ length: bucketCount }, (_, bucket) => bucketValue(bucket))

/** Below this every whole number has its own bucket. */
const exactBelow = lower.findIndex((low, bucket) => low !== bucket) - 1
const bucketsPerE = (bucketCount - exactBelow) / Math.log(maxValue / exactBelow)
