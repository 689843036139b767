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

/** 2lu / (l + u): the value from which both ends have the same relative distance, (u - l) / (u + l). */
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

export const bucketValues = Float64Array.from({ length: bucketCount }, (_, bucket) => bucketValue(bucket))

/** Below this every whole number has its own bucket. */
const exactBelow = lower.findIndex((low, bucket) => low !== bucket) - 1
const bucketsPerE = (bucketCount - exactBelow) / Math.log(maxValue / exactBelow)

export interface BucketColumns {
  readonly buckets: Uint16Array<ArrayBuffer>
  readonly counts: Float64Array<ArrayBuffer>
}

/**
 * Columns that many distributions share, because separate columns would take more memory than their content. A
 * distribution that lives long should have columns of its own, because a single one keeps all shared columns in memory.
 */
export class SharedBucketColumns {
  columns = emptyColumns
  /** Start of the range that was reserved last. */
  from = 0
  #used = 0

  reserve(size: number): void {
    if (this.#used + size > this.columns.buckets.length) {
      const length = Math.min(Math.max(firstLength, this.columns.buckets.length * 2), maxLength)
      this.columns = newBucketColumns(Math.max(length, size))
      this.#used = 0
    }
    this.from = this.#used
    this.#used += size
  }
}

export const newBucketColumns = (size: number): BucketColumns => ({
  buckets: new Uint16Array(size),
  counts: new Float64Array(size),
})

export const emptyColumns: BucketColumns = newBucketColumns(0)

/** The first columns are small, which is enough for a few distributions. */
const firstLength = 128
const maxLength = 4096

/** The content of a distribution; buckets and counts have the same length. */
export interface DistributionParts {
  readonly buckets: ArrayLike<number> & Iterable<number>
  readonly counts: ArrayLike<number> & Iterable<number>
  readonly sum: bigint
  readonly min: number
  readonly max: number
}

export class ReusableParts {
  columns = emptyColumns
  from = 0
  size = 0
  /** Total count of this part of the columns. */
  count = 0
  /** Exact, unless `largeSum` is set. */
  sum = 0
  largeSum: bigint | undefined
  min = 0
  max = 0
}
