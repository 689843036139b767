import { emptyColumns } from './columns.ts'

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
