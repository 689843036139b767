import {
  bucketCount,
  bucketOf,
  bucketValues,
  type DistributionParts,
  emptyColumns,
  maxValue,
  newBucketColumns,
  type ReusableParts,
} from './buckets.ts'

/**
 * A histogram with logarithmic buckets (at most 1% off at any percentile) and exact count, sum, minimum and maximum.
 * Values and weights are whole numbers (microcores weighted by seconds, bytes weighted by samples), so that adding is
 * exact and merging in any order gives the same bits.
 */
export class Distribution {
  #buckets = emptyColumns.buckets
  #counts = emptyColumns.counts
  /** Columns may be shared with other distributions; this one has the range from #from to #end. */
  #from = 0
  #end = 0
  #capacity = 0
  #count = 0
  /** The sum is sumHigh * 2^48 + sumLow, with 0 <= sumLow < 2^48. */
  #sumHigh = 0
  #sumLow = 0
  #min = 0
  #max = 0

  static of(...values: readonly number[]): Distribution {
    const distribution = new Distribution()
    for (const value of values) distribution.add(value)
    return distribution
  }

  /** Creates a distribution that takes over a range of columns. Buckets must ascend. */
  static adopt(parts: ReusableParts): Distribution {
    const distribution = new Distribution()
    const { columns, from, size, sum, largeSum } = parts
    distribution.#buckets = columns.buckets
    distribution.#counts = columns.counts
    distribution.#from = from
    distribution.#end = from + size
    distribution.#capacity = from + size
    distribution.#count = parts.count
    if (largeSum !== undefined) distribution.#addSum(Number(largeSum >> sumShift), Number(largeSum & sumMask))
    else if (sum < sumBase) distribution.#sumLow = sum
    else distribution.#addSum(Math.floor(sum / sumBase), sum % sumBase)
    distribution.#min = parts.min
    distribution.#max = parts.max
    return distribution
  }

  get count(): number {
    return this.#count
  }

  /** Sum of value x weight; the nearest double above 2^53. */
  get sum(): number {
    return this.#sumHigh * sumBase + this.#sumLow
  }

  get exactSum(): bigint {
    return (BigInt(this.#sumHigh) << sumShift) + BigInt(this.#sumLow)
  }

  /** NaN if the distribution is empty; min, max and quantiles are NaN then too. */
  get mean(): number {
    return this.sum / this.#count
  }

  get min(): number {
    return this.#count === 0 ? Number.NaN : this.#min
  }

  get max(): number {
    return this.#count === 0 ? Number.NaN : this.#max
  }

  get size(): number {
    return this.#end - this.#from
  }

  /** `sum` if it is known more precisely than value x weight: the increase of a counter, whose value is a rounded rate. */
  add(value: number, weight = 1, sum?: number): void {
    if (!Number.isInteger(value) || value < 0 || value > maxValue) throw new RangeError(`value ${value}`)
    if (!Number.isSafeInteger(weight) || weight < 0) throw new RangeError(`weight ${weight}`)
    if (sum !== undefined && (!Number.isInteger(sum) || sum < 0 || sum > maxValue))
      throw new RangeError(`sum ${sum}`)
    if (weight === 0) return
    this.#insert(bucketOf(value), weight)
    this.#min = this.#count === 0 ? value : Math.min(this.#min, value)
    this.#max = this.#count === 0 ? value : Math.max(this.#max, value)
    this.#count += weight
    const product = sum ?? value * weight
    if (product < sumBase) this.#addSum(0, product)
    else {
      const exact = BigInt(value) * BigInt(weight)
      this.#addSum(Number(exact >> sumShift), Number(exact & sumMask))
    }
  }

  merge(other: Distribution): this {
    if (other.#count === 0) return this
    for (let index = other.#from; index < other.#end; index++)
      this.#insert(other.#buckets[index]!, other.#counts[index]!)
    this.#min = this.#count === 0 ? other.#min : Math.min(this.#min, other.#min)
    this.#max = this.#count === 0 ? other.#max : Math.max(this.#max, other.#max)
    this.#count += other.#count
    this.#addSum(other.#sumHigh, other.#sumLow)
    return this
  }

  /** At or below it lies at least the share q of all weight. Within 1%; exact for q = 0 and q = 1. */
  quantile(q: number): number {
    if (this.#count === 0) return Number.NaN
    if (q <= 0) return this.#min
    if (q >= 1) return this.#max
    const rank = q * this.#count
    let seen = 0
    for (let index = this.#from; index < this.#end; index++) {
      seen += this.#counts[index]!
      if (seen >= rank) return this.#clamp(bucketValues[this.#buckets[index]!]!)
    }
    return this.#max
  }

  /** Iterates over the buckets that are not empty, ascending. A value is never outside [min, max]. */
  *[Symbol.iterator](): IterableIterator<{ value: number; count: number }> {
    for (let index = this.#from; index < this.#end; index++)
      yield { value: this.#clamp(bucketValues[this.#buckets[index]!]!), count: this.#counts[index]! }
  }

  /** Writes the same as values, divided by a unit, and weights, from an index on. Returns the index after the last. */
  fill(values: Float64Array, weights: Float64Array, from: number, unit: number): number {
    const [buckets, counts] = [this.#buckets, this.#counts]
    let at = from
    for (let index = this.#from; index < this.#end; index++) {
      values[at] = bucketValues[buckets[index]!]! / unit
      weights[at++] = counts[index]!
    }
    // Only the first and the last value can lie outside [min, max].
    if (at > from) {
      values[from] = this.#clamp(bucketValues[buckets[this.#from]!]!) / unit
      values[at - 1] = this.#clamp(bucketValues[buckets[this.#end - 1]!]!) / unit
    }
    return at
  }

  writeTotals(into: Float64Array): void {
    into[0] = this.#count
    into[1] = this.#sumHigh * sumBase + this.#sumLow
    into[2] = this.#max
  }

  /** Adds the counts to `weights`, by bucket, and sets a bit in `used` for each bucket that is not empty. */
  weighInto(weights: Float64Array, used: Uint32Array): void {
    const [buckets, counts] = [this.#buckets, this.#counts]
    for (let index = this.#from; index < this.#end; index++) {
      const bucket = buckets[index]!
      used[bucket >>> 5]! |= 1 << (bucket & 31)
      weights[bucket]! += counts[index]!
    }
  }

  parts(): DistributionParts {
    return {
      buckets: this.#buckets.subarray(this.#from, this.#end),
      counts: this.#counts.subarray(this.#from, this.#end),
      min: this.#min,
      max: this.#max,
      sum: this.exactSum,
    }
  }

  #clamp(value: number): number {
    return Math.min(Math.max(value, this.#min), this.#max)
  }

  #addSum(high: number, low: number): void {
    this.#sumLow += low
    this.#sumHigh += high
    if (this.#sumLow >= sumBase) {
      this.#sumLow -= sumBase
      this.#sumHigh++
    }
  }

  #insert(bucket: number, weight: number): void {
    let low = this.#from
    let high = this.#end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#buckets[middle]! < bucket) low = middle + 1
      else high = middle
    }
    if (low < this.#end && this.#buckets[low] === bucket) {
      this.#counts[low]! += weight
      return
    }
    if (this.#end === this.#capacity) low -= this.#grow()
    this.#buckets.copyWithin(low + 1, low, this.#end)
    this.#counts.copyWithin(low + 1, low, this.#end)
    this.#buckets[low] = bucket
    this.#counts[low] = weight
    this.#end++
  }

  /** Moves to its own, larger columns and returns by how much its start moved. */
  #grow(): number {
    const from = this.#from
    const size = this.#end - from
    const { buckets, counts } = newBucketColumns(Math.min(Math.max(4, size * 2), bucketCount))
    for (let index = 0; index < size; index++) {
      buckets[index] = this.#buckets[from + index]!
      counts[index] = this.#counts[from + index]!
    }
    this.#buckets = buckets
    this.#counts = counts
    this.#from = 0
    this.#end = size
    this.#capacity = buckets.length
    return from
  }
}

const sumShift = 48n
const sumBase = 2 ** 48
const sumMask = (1n << sumShift) - 1n
