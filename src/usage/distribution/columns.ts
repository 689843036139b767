/** Buckets and their counts, side by side. */
export interface BucketColumns {
  readonly buckets: Uint16Array<ArrayBuffer>
  readonly counts: Float64Array<ArrayBuffer>
}

/**
 * Space in columns that many distributions share: separate columns would cost more than their content. Whoever
 * is to live long has its own all the same, since one alone keeps all of them.
 */
export class SharedBucketColumns {
  columns = emptyColumns
  /** Where the room asked for last begins. */
  from = 0
  #used = 0

  /** Reserves a range of this length. */
  reserve(size: number): void {
    if (this.#used + size > this.columns.buckets.length) {
      const length = Math.min(Math.max(firstLength, this.columns.buckets.length * 2), mostLength)
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

/** Small at first, which is enough for a few distributions. */
const firstLength = 128
const mostLength = 4096

/** What a distribution is made of; buckets and counts side by side. */
export interface DistributionParts {
  readonly buckets: ArrayLike<number> & Iterable<number>
  readonly counts: ArrayLike<number> & Iterable<number>
  readonly sum: bigint
  readonly min: number
  readonly max: number
}

/** What a distribution is made of by who reads or adds up many; used again for each. */
export class ReusableParts {
  columns = emptyColumns
  from = 0
  size = 0
  /** Total count of this part of the columns. */
  count = 0
  /** A number where that is exact. */
  sum = 0
  largeSum: bigint | undefined
  min = 0
  max = 0
}
