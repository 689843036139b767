import { type ByteReader, MalformedBytes } from '../../domain/byte-reader.ts'
import { bucketCount, bucketLower, maxValue, ReusableParts, SharedBucketColumns } from './buckets.ts'
import { Distribution } from './distribution.ts'

/** Reads what writeDistribution wrote, one distribution after the other, into columns that they share. */
export class DistributionDecoder {
  readonly #head = new DistributionHeader()
  readonly #parts = new ReusableParts()
  readonly #shared: SharedBucketColumns

  constructor(shared = new SharedBucketColumns()) {
    this.#shared = shared
  }

  decode(reader: ByteReader): Distribution {
    const [head, parts, shared] = [this.#head, this.#parts, this.#shared]
    head.read(reader)
    const { size, count, countUnit, scale, bucket: only } = head
    if (size === 0) return new Distribution()
    shared.reserve(size)
    const { columns, from } = shared
    const { buckets, counts } = columns
    parts.columns = columns
    parts.from = from
    parts.size = size
    parts.count = count
    parts.sum = head.sum
    parts.largeSum = head.isLarge ? head.largeSum : undefined
    if (only >= 0) {
      buckets[from] = only
      counts[from] = count
      parts.min = head.value
      parts.max = head.value
      return Distribution.adopt(parts)
    }
    const { bytes, end } = reader
    let { offset } = reader
    let bucket = -1
    let seen = 0
    for (let index = from; index < from + size; index++) {
      if (offset >= end) throw new MalformedBytes('the bytes end early')
      const byte = bytes[offset++]!
      bucket += 1 + (byte >> 4)
      if (byte >= 0xf0) {
        reader.offset = offset
        bucket += reader.varint()
        offset = reader.offset
      }
      if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
      buckets[index] = bucket
      let weight = (1 + (byte & 15)) * countUnit
      if ((byte & 15) === 15) {
        reader.offset = offset
        weight = reader.varint()
        offset = reader.offset
      }
      counts[index] = weight
      seen += weight
    }
    reader.offset = offset
    const min = (reader.varint() + Math.floor(bucketLower(buckets[from]!) / scale)) * scale
    const max = (reader.varint() + Math.floor(bucketLower(bucket) / scale)) * scale
    if (max < min || max > maxValue) throw new MalformedBytes(`a distribution from ${min} to ${max}`)
    if (seen !== count || reader.offset !== head.end)
      throw new MalformedBytes('a distribution that is not what its head says')
    parts.min = min
    parts.max = max
    return Distribution.adopt(parts)
  }
}

/** Keeps the last distribution that was read. */
export class DistributionReader implements DistributionConsumer {
  kept = new Distribution()
  readonly #decoder: DistributionDecoder

  constructor(decoder: DistributionDecoder) {
    this.#decoder = decoder
  }

  addFrom(reader: ByteReader): void {
    this.kept = this.#decoder.decode(reader)
  }
}

/** The part before the buckets; for a single value, the whole distribution. Reused for one distribution after the other. */
export class DistributionHeader {
  size = 0
  countUnit = 0
  scale = 1
  count = 0
  /** The nearest double; where it is large, `largeSum` is exact. */
  sum = 0
  isLarge = false
  largeSum = 0n
  /** Where the distribution ends. */
  end = 0
  /** The one bucket and value where there is but one; -1 otherwise. */
  bucket = -1
  value = 0

  /** Leaves the reader at the buckets, or at the end where nothing is left to read. */
  read(reader: ByteReader): void {
    const head = reader.varint()
    this.isLarge = false
    this.bucket = -1
    this.size = head >>> 2
    if (head === 0) {
      this.count = 0
      this.sum = 0
      this.end = reader.offset
      return
    }
    if (this.size === 0 || head > mostHead) throw new MalformedBytes(`a distribution of head ${head}`)
    const unit = reader.varint()
    this.countUnit = unit < 2 ** 31 ? unit >> 4 : Math.floor(unit / 16)
    this.scale = 1 << (unit & 15)
    if (head & 1) {
      this.#readSingle(reader)
      return
    }
    this.count = reader.varint() * (head & 2 ? 1 : this.countUnit)
    const sum = reader.shortVarint()
    if (sum >= 0) {
      this.sum = sum * this.scale
      if (this.sum >= maxExactAddend) this.#setLarge(BigInt(this.sum))
    } else {
      this.#setLarge(reader.bigVarint() * BigInt(this.scale))
      this.sum = Number(this.largeSum)
    }
    const length = reader.varint()
    this.end = reader.offset + length
    if (this.end > reader.end) throw new MalformedBytes('the bytes end early')
  }

  #readSingle(reader: ByteReader): void {
    if (this.size !== 1) throw new MalformedBytes(`${this.size} buckets of one value`)
    const byte = reader.byte()
    this.bucket = (byte >> 4) + (byte >= 0xf0 ? reader.varint() : 0)
    if (this.bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${this.bucket}`)
    this.count = (byte & 15) === 15 ? reader.varint() : (1 + (byte & 15)) * this.countUnit
    this.value = (reader.varint() + Math.floor(bucketLower(this.bucket) / this.scale)) * this.scale
    if (this.value > maxValue) throw new MalformedBytes(`a distribution of ${this.value}`)
    this.sum = this.value * this.count
    if (this.sum >= maxExactAddend) this.#setLarge(BigInt(this.value) * BigInt(this.count))
    this.end = reader.offset
  }

  #setLarge(sum: bigint): void {
    this.isLarge = true
    this.largeSum = sum
  }
}

/** Two of these add up without rounding. */
export const maxExactAddend = 2 ** 52

const mostHead = bucketCount * 4 + 3

/** Reads past distributions: of each, count and sum alone. */
export class DistributionSkipper implements DistributionConsumer {
  /** Count and sum of the last distribution read; callers reset them to 0. */
  count = 0
  sum = 0
  readonly #header = new DistributionHeader()

  addFrom(reader: ByteReader): void {
    const header = this.#header
    header.read(reader)
    reader.offset = header.end
    this.count = header.count
    this.sum = header.sum
  }
}

/** Reads or skips the distribution at the cursor. */
export interface DistributionConsumer {
  addFrom(reader: ByteReader): void
}
