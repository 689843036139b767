import type { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import {
  type BucketColumns,
  bucketCount,
  newBucketColumns,
  ReusableParts,
  SharedBucketColumns,
} from './buckets.ts'
import { Distribution } from './distribution.ts'
import { DistributionHeader, maxExactAddend } from './read-distribution.ts'

/** Also directly from bytes, which is faster than merging one by one. Its inputs stay unchanged. */
export class DistributionSum {
  readonly #counts = new Float64Array(bucketCount)
  /** A bit for each bucket that is not empty, 32 to a word. */
  readonly #used = new Uint32Array(Math.ceil(bucketCount / 32))
  #sum = 0
  /** The part of the sum that does not fit in a double exactly. */
  #largeSum = 0n
  #isLarge = false
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  readonly #head = new DistributionHeader()
  /** The buckets that were read last; undefined before the first. */
  #read: BucketColumns | undefined
  readonly #parts = new ReusableParts()
  readonly #shared: SharedBucketColumns

  /** `shared` has the columns of the totals that drain() returns. */
  constructor(shared = new SharedBucketColumns()) {
    this.#shared = shared
  }

  get isEmpty(): boolean {
    return this.#max < 0
  }

  add(distribution: Distribution): void {
    if (distribution.count === 0) return
    distribution.weighInto(this.#counts, this.#used)
    const { sum, min, max } = distribution
    if (sum < maxExactAddend) this.#addSum(sum)
    else this.#addLarge(distribution.exactSum)
    this.#extend(min, max)
  }

  /** Reads what writeDistribution wrote; see there for the layout. */
  addFrom(reader: ByteReader): void {
    const head = this.#head
    head.read(reader)
    const { size } = head
    if (size === 0) return
    this.#read ??= newBucketColumns(bucketCount)
    head.readBuckets(reader, this.#read, 0)
    const { buckets, counts } = this.#read
    for (let index = 0; index < size; index++) this.#weigh(buckets[index]!, counts[index]!)
    this.#extend(head.min, head.max)
    if (head.isLarge) this.#addLarge(head.largeSum)
    else this.#addSum(head.sum)
  }

  /** Count and sum of the distribution that addFrom read last; 0 if nothing was read. */
  get last(): { readonly count: number; readonly sum: number } {
    return this.#head
  }

  clear(): void {
    const used = this.#used
    for (let word = 0; word < used.length; word++) {
      for (let bits = used[word]!; bits !== 0; bits &= bits - 1)
        this.#counts[word * 32 + 31 - Math.clz32(bits & -bits)] = 0
      used[word] = 0
    }
    this.#sum = 0
    this.#largeSum = 0n
    this.#isLarge = false
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
  }

  total(): Distribution {
    return this.isEmpty ? new Distribution() : this.#build(newBucketColumns(this.#size()), 0)
  }

  /** Returns the total in shared columns, and empties the sum. */
  drain(): Distribution {
    if (this.isEmpty) return new Distribution()
    const shared = this.#shared
    shared.reserve(this.#size())
    const total = this.#build(shared.columns, shared.from)
    this.clear()
    return total
  }

  #size(): number {
    let size = 0
    for (let word = 0; word < this.#used.length; word++)
      for (let bits = this.#used[word]!; bits !== 0; bits &= bits - 1) size++
    return size
  }

  #build(columns: BucketColumns, from: number): Distribution {
    const { buckets, counts } = columns
    const used = this.#used
    let at = from
    let count = 0
    for (let word = 0; word < used.length; word++) {
      const offset = word * 32 + 31
      for (let bits = used[word]!; bits !== 0; bits &= bits - 1) {
        const bucket = offset - Math.clz32(bits & -bits)
        const weight = this.#counts[bucket]!
        buckets[at] = bucket
        counts[at++] = weight
        count += weight
      }
    }
    const parts = this.#parts
    parts.columns = columns
    parts.from = from
    parts.size = at - from
    parts.count = count
    parts.sum = this.#sum
    parts.largeSum = this.#isLarge ? this.#largeSum + BigInt(this.#sum) : undefined
    parts.min = this.#min
    parts.max = this.#max
    return Distribution.adopt(parts)
  }

  #addSum(sum: number): void {
    this.#sum += sum
    if (this.#sum < maxExactAddend) return
    this.#addLarge(BigInt(this.#sum))
    this.#sum = 0
  }

  #addLarge(sum: bigint): void {
    this.#largeSum += sum
    this.#isLarge = true
  }

  #extend(min: number, max: number): void {
    if (min < this.#min) this.#min = min
    if (max > this.#max) this.#max = max
  }

  #weigh(bucket: number, weight: number): void {
    const before = this.#counts[bucket]!
    if (before === 0) this.#used[bucket >>> 5]! |= 1 << (bucket & 31)
    this.#counts[bucket] = before + weight
  }
}

/** Returns the total of some distributions; if there is only one, the distribution itself. */
export function sumDistributions(distributions: readonly Distribution[]): Distribution {
  if (distributions.length === 1) return distributions[0]!
  const sum = new DistributionSum()
  for (const distribution of distributions) sum.add(distribution)
  return sum.total()
}
