/** Buckets and their counts, side by side. */
export interface BucketColumns {
  readonly buckets: Uint16Array<ArrayBuffer>
  readonly counts: Float64Array<ArrayBuffer>
}

/**
 * Room in columns that many distributions share: columns of its own would cost each more than what is in them. Whoever
 * is to live long has its own all the same, since one alone keeps all of them.
 */
export class SharedBucketColumns {
  columns = newBucketColumns(0)
  /** Start of the last reserved range. */
  from = 0
  #used = 0

  /** Reserves a range of this length. */
  reserve(size: number): void {
    if (this.#used + size > this.columns.buckets.length) {
      this.columns = newBucketColumns(Math.max(sharedLength, size))
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

const sharedLength = 4096
