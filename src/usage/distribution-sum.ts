import { bucketCount, bucketLower, maxValue } from './buckets.ts'
import type { ByteReader } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import { Distribution } from './distribution.ts'
import { readDistribution } from './distribution-codec.ts'

/** Adds up many distributions, also straight from bytes, faster than merging one by one; what went in stays as it is. */
export class DistributionSum {
  readonly #counts = new Float64Array(bucketCount)
  #sum = 0
  /** What no longer fits in a double exactly. */
  #largeSum = 0n
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #first = bucketCount
  #last = -1
  /** Weight and sum of what addFrom read last; 0 of nothing. */
  lastCount = 0
  lastSum = 0

  add(distribution: Distribution): void {
    if (distribution.count === 0) return
    const { buckets, counts, min, max } = distribution.columns()
    for (let index = 0; index < buckets.length; index++) this.#counts[buckets[index]!]! += counts[index]!
    if (distribution.sum < exact) this.#addSum(distribution.sum)
    else this.#largeSum += distribution.exactSum
    this.#extend(min, max, buckets[0]!, buckets[buckets.length - 1]!)
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
    for (let index = 0; index < size; index++) {
      const byte = reader.byte()
      const step = byte >> 4
      bucket += 1 + (step === 15 ? 15 + reader.varint() : step)
      if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
      const weight = (byte & 15) === 15 ? reader.varint() : (1 + (byte & 15)) * countUnit
      this.#counts[bucket]! += weight
      count += weight
      leastSum += Math.floor(bucketLower(bucket) * perScale) * weight
      if (index === 0) first = bucket
    }
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
    this.#extend(min, max, first, bucket)
  }

  /** As new, to be used again. */
  clear(): void {
    if (this.#last >= this.#first) this.#counts.fill(0, this.#first, this.#last + 1)
    this.#sum = 0
    this.#largeSum = 0n
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
    this.#first = bucketCount
    this.#last = -1
  }

  total(): Distribution {
    let size = 0
    for (let bucket = this.#first; bucket <= this.#last; bucket++) if (this.#counts[bucket]! > 0) size++
    if (size === 0) return new Distribution()
    const buckets = new Uint16Array(size)
    const counts = new Float64Array(size)
    for (let bucket = this.#first, index = 0; index < size; bucket++) {
      if (this.#counts[bucket] === 0) continue
      buckets[index] = bucket
      counts[index++] = this.#counts[bucket]!
    }
    const sum = this.#largeSum === 0n ? this.#sum : this.#largeSum + BigInt(this.#sum)
    return Distribution.from({ buckets, counts, sum, min: this.#min, max: this.#max })
  }

  /** Reads it again the slow way: its weights are in already, its sum takes whole numbers of any size. */
  #addLarge(reader: ByteReader, start: number): void {
    reader.offset = start
    const { buckets, sum, min, max } = readDistribution(reader).parts()
    this.lastSum = Number(sum)
    this.#largeSum += sum
    this.#extend(min, max, buckets[0]!, buckets[buckets.length - 1]!)
  }

  #addSum(sum: number): void {
    this.#sum += sum
    if (this.#sum < exact) return
    this.#largeSum += BigInt(this.#sum)
    this.#sum = 0
  }

  #extend(min: number, max: number, first: number, last: number): void {
    if (min < this.#min) this.#min = min
    if (max > this.#max) this.#max = max
    if (first < this.#first) this.#first = first
    if (last > this.#last) this.#last = last
  }
}

/** Two of these add up without rounding. */
const exact = 2 ** 52
