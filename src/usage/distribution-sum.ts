import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { ByteReader } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import { Distribution } from './distribution.ts'
import { readDistribution } from './distribution-codec.ts'

/** Adds up many distributions, also straight from bytes, faster than merging one by one; what went in stays as it is. */
export class DistributionSum {
  readonly #counts = new Float64Array(bucketCount)
  /** A bit for each bucket that holds anything, 32 to a word, and how many are set. */
  readonly #used = new Uint32Array(Math.ceil(bucketCount / 32))
  #size = 0
  #sum = 0
  /** What no longer fits in a double exactly. */
  #largeSum = 0n
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  /** Weight and sum of what addFrom read last; 0 of nothing. */
  lastCount = 0
  lastSum = 0

  add(distribution: Distribution): void {
    if (distribution.count === 0) return
    const { buckets, counts, min, max } = distribution.columns()
    for (let index = 0; index < buckets.length; index++) this.#weigh(buckets[index]!, counts[index]!)
    if (distribution.sum < exact) this.#addSum(distribution.sum)
    else this.#largeSum += distribution.exactSum
    this.#extend(min, max)
  }

  addAll(other: DistributionSum): void {
    const buckets = other.#buckets()
    for (let index = 0; index < buckets.length; index++)
      this.#weigh(buckets[index]!, other.#counts[buckets[index]!]!)
    this.#largeSum += other.#largeSum
    this.#addSum(other.#sum)
    this.#extend(other.#min, other.#max)
  }

  /** Reads what writeDistribution wrote; see there for the layout. */
  addFrom(reader: ByteReader): void {
    const start = reader.offset
    const head = reader.varint()
    this.lastCount = 0
    this.lastSum = 0
    if (head === 0) return
    const unit = reader.varint()
    const size = Math.floor(head / 2)
    const countUnit = Math.floor(unit / 16)
    const scale = 2 ** (unit % 16)
    const perScale = 1 / scale
    let bucket = -1
    let first = 0
    let count = 0
    let leastSum = 0
    // By hand rather than by the reader's methods: most of the time that windows take is spent in these lines.
    const { bytes, end } = reader
    const counts = this.#counts
    let { offset } = reader
    for (let index = 0; index < size; index++) {
      if (offset >= end) throw new MalformedBytes('the bytes end early')
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
      if (before === 0) this.#use(bucket)
      counts[bucket] = before + weight
      count += weight
      leastSum += Math.floor(bucketLower(bucket) * perScale) * weight
      if (index === 0) first = bucket
    }
    reader.offset = offset
    const min = (reader.varint() + Math.floor(bucketLower(first) * perScale)) * scale
    const single = head % 2 === 1
    const max = single ? min : (reader.varint() + Math.floor(bucketLower(bucket) * perScale)) * scale
    this.lastCount = count
    const fits = single ? min * count < exact : leastSum * scale < exact && reader.nextIsShort()
    const sum = single || !fits ? min * count : (reader.signed() + leastSum) * scale
    if (!fits || sum >= exact) {
      this.#addLarge(reader, start)
      return
    }
    if (max < min || max > maxValue || sum < 0)
      throw new MalformedBytes(`a distribution from ${min} to ${max}`)
    this.lastSum = sum
    this.#addSum(sum)
    this.#extend(min, max)
  }

  /** As new, to be used again. */
  clear(): void {
    const buckets = this.#buckets()
    for (let index = 0; index < buckets.length; index++) this.#counts[buckets[index]!] = 0
    this.#used.fill(0)
    this.#size = 0
    this.#sum = 0
    this.#largeSum = 0n
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
  }

  total(): Distribution {
    if (this.#size === 0) return new Distribution()
    const buckets = this.#buckets()
    const counts = new Float64Array(this.#size)
    for (let index = 0; index < buckets.length; index++) counts[index] = this.#counts[buckets[index]!]!
    const sum = this.#largeSum === 0n ? this.#sum : this.#largeSum + BigInt(this.#sum)
    return Distribution.adopt({ buckets, counts, sum, min: this.#min, max: this.#max })
  }

  /** Reads it again the slow way: its weights are in already, its sum takes whole numbers of any size. */
  #addLarge(reader: ByteReader, start: number): void {
    reader.offset = start
    const { sum, min, max } = readDistribution(reader).parts()
    this.lastSum = Number(sum)
    this.#largeSum += sum
    this.#extend(min, max)
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
    if (this.#counts[bucket] === 0) this.#use(bucket)
    this.#counts[bucket]! += weight
  }

  #use(bucket: number): void {
    const word = bucket >>> 5
    const used = this.#used[word]! | (1 << (bucket & 31))
    if (used >>> 0 === this.#used[word]) return
    this.#used[word] = used
    this.#size++
  }

  /** Those that hold anything, ascending. */
  #buckets(): Uint16Array<ArrayBuffer> {
    const buckets = new Uint16Array(this.#size)
    for (let word = 0, index = 0; index < this.#size; word++)
      for (let bits = this.#used[word]!; bits !== 0; bits &= bits - 1)
        buckets[index++] = word * 32 + 31 - Math.clz32(bits & -bits)
    return buckets
  }
}

/** Two of these add up without rounding. */
const exact = 2 ** 52
