import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { ByteReader } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import { Distribution } from './distribution.ts'
import { DistributionHead, exact } from './distribution-head.ts'

/** Adds up many distributions, also straight from bytes, faster than merging one by one; what went in stays as it is. */
export class DistributionSum {
  readonly #counts = new Float64Array(bucketCount)
  /** A bit for each bucket that holds anything, 32 to a word. */
  readonly #used = new Uint32Array(Math.ceil(bucketCount / 32))
  #sum = 0
  /** What no longer fits in a double exactly. */
  #largeSum = 0n
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  readonly #head = new DistributionHead()

  get isEmpty(): boolean {
    return this.#max < 0
  }

  add(distribution: Distribution): void {
    if (distribution.count === 0) return
    const { buckets, counts, min, max } = distribution.columns()
    for (let index = 0; index < buckets.length; index++) this.#weigh(buckets[index]!, counts[index]!)
    if (distribution.sum < exact) this.#addSum(distribution.sum)
    else this.#largeSum += distribution.exactSum
    this.#extend(min, max)
  }

  /** Reads what writeDistribution wrote; see there for the layout. */
  addFrom(reader: ByteReader): void {
    const head = this.#head
    head.read(reader)
    const { size, countUnit, scale } = head
    if (size === 0) return
    if (head.bucket >= 0) {
      this.#weigh(head.bucket, head.count)
      this.#extend(head.value, head.value)
    } else {
      // By hand rather than by the reader's methods: most of the time that windows take is spent in these lines.
      const { bytes } = reader
      const counts = this.#counts
      const used = this.#used
      let { offset } = reader
      let bucket = -1
      let first = -1
      let count = 0
      for (let index = 0; index < size; index++) {
        const byte = bytes[offset++]!
        bucket += 1 + (byte >> 4)
        if (byte >= 0xf0) {
          reader.offset = offset
          bucket += reader.varint()
          offset = reader.offset
        }
        if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
        let weight = (1 + (byte & 15)) * countUnit
        if ((byte & 15) === 15) {
          reader.offset = offset
          weight = reader.varint()
          offset = reader.offset
        }
        const before = counts[bucket]!
        if (before === 0) used[bucket >>> 5]! |= 1 << (bucket & 31)
        counts[bucket] = before + weight
        count += weight
        if (first < 0) first = bucket
      }
      reader.offset = offset
      const min = (reader.varint() + Math.floor(bucketLower(first) / scale)) * scale
      const max = (reader.varint() + Math.floor(bucketLower(bucket) / scale)) * scale
      if (max < min || max > maxValue || count !== head.count || reader.offset !== head.end)
        throw new MalformedBytes(`a distribution from ${min} to ${max}`)
      this.#extend(min, max)
    }
    if (head.largeSum === 0n) this.#addSum(head.sum)
    else this.#largeSum += head.largeSum
  }

  /** Weight and sum of what addFrom read last; 0 of nothing. */
  get lastCount(): number {
    return this.#head.count
  }

  get lastSum(): number {
    return this.#head.sum
  }

  /** As new, to be used again. */
  clear(): void {
    const used = this.#used
    for (let word = 0; word < used.length; word++) {
      for (let bits = used[word]!; bits !== 0; bits &= bits - 1)
        this.#counts[word * 32 + 31 - Math.clz32(bits & -bits)] = 0
      used[word] = 0
    }
    this.#sum = 0
    this.#largeSum = 0n
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
  }

  total(): Distribution {
    if (this.isEmpty) return new Distribution()
    const used = this.#used
    let size = 0
    for (let word = 0; word < used.length; word++) {
      const offset = word * 32 + 31
      for (let bits = used[word]!; bits !== 0; bits &= bits - 1) {
        const bucket = offset - Math.clz32(bits & -bits)
        bucketsFound[size] = bucket
        countsFound[size++] = this.#counts[bucket]!
      }
    }
    return Distribution.adopt({
      buckets: bucketsFound.slice(0, size),
      counts: countsFound.slice(0, size),
      sum: this.#largeSum === 0n ? this.#sum : this.#largeSum + BigInt(this.#sum),
      min: this.#min,
      max: this.#max,
    })
  }

  #addSum(sum: number): void {
    this.#sum += sum
    if (this.#sum < exact) return
    this.#largeSum += BigInt(this.#sum)
    this.#sum = 0
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

const bucketsFound = new Uint16Array(bucketCount)
const countsFound = new Float64Array(bucketCount)
