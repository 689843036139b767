import { type ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import {
  type BucketColumns,
  bucketCount,
  bucketLower,
  maxValue,
  ReusableParts,
  SharedBucketColumns,
} from './buckets.ts'
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
    const { size } = head
    if (size === 0) return new Distribution()
    shared.reserve(size)
    const { columns, from } = shared
    head.readBuckets(reader, columns, from)
    parts.columns = columns
    parts.from = from
    parts.size = size
    parts.count = head.count
    parts.sum = head.sum
    parts.largeSum = head.isLarge ? head.largeSum : undefined
    parts.min = head.min
    parts.max = head.max
    return Distribution.adopt(parts)
  }
}

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
  /** The nearest double; if `isLarge` is set, `largeSum` is exact. */
  sum = 0
  isLarge = false
  largeSum = 0n
  end = 0
  /** Known at once if there is only one value, otherwise after the buckets are read. */
  min = 0
  max = 0
  /** The bucket if there is only one value; -1 otherwise. */
  #bucket = -1

  /** Leaves the reader at the buckets, or at the end if nothing is left to read. */
  read(reader: ByteReader): void {
    const head = reader.varint()
    this.isLarge = false
    this.#bucket = -1
    this.size = head >>> 2
    if (head === 0) {
      this.count = 0
      this.sum = 0
      this.end = reader.offset
      return
    }
    if (this.size === 0 || head > maxHead) throw new MalformedBytes(`a distribution of head ${head}`)
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
    this.#bucket = (byte >> 4) + (byte >= 0xf0 ? reader.varint() : 0)
    if (this.#bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${this.#bucket}`)
    this.count = (byte & 15) === 15 ? reader.varint() : (1 + (byte & 15)) * this.countUnit
    const value = this.#readValue(reader, this.#bucket)
    if (value > maxValue) throw new MalformedBytes(`a distribution of ${value}`)
    this.min = value
    this.max = value
    this.sum = value * this.count
    if (this.sum >= maxExactAddend) this.#setLarge(BigInt(value) * BigInt(this.count))
    this.end = reader.offset
  }

  /** Reads the rest: buckets and their counts into columns, from an index on, then the least and the greatest value. */
  readBuckets(reader: ByteReader, { buckets, counts }: BucketColumns, from: number): void {
    const { size, countUnit } = this
    if (this.#bucket >= 0) {
      buckets[from] = this.#bucket
      counts[from] = this.count
      return
    }
    // Varints are read inline, because calls of the reader would take as long as everything else. Their values are
    // checked at the end.
    const { bytes } = reader
    let offset = reader.offset | 0
    let bucket = -1
    let seen = 0
    for (let index = from; index < from + size; index++) {
      const byte = bytes[offset++]!
      bucket += 1 + (byte >> 4)
      if (byte >= 0xf0) {
        const low = bytes[offset++]!
        bucket += low < 0x80 ? low : (low & 0x7f) | (bytes[offset++]! << 7)
      }
      let weight = (1 + (byte & 15)) * countUnit
      if ((byte & 15) === 15) {
        let next = bytes[offset++]!
        weight = next & 0x7f
        for (let scale = 0x80; next >= 0x80; scale *= 0x80) {
          next = bytes[offset++]!
          weight += (next & 0x7f) * scale
        }
      }
      buckets[index] = bucket
      counts[index] = weight
      seen += weight
    }
    reader.offset = offset
    if (bucket >= bucketCount) throw new MalformedBytes(`there is no bucket ${bucket}`)
    this.min = this.#readValue(reader, buckets[from]!)
    this.max = this.#readValue(reader, bucket)
    if (this.max < this.min || this.max > maxValue)
      throw new MalformedBytes(`a distribution from ${this.min} to ${this.max}`)
    if (seen !== this.count || reader.offset !== this.end)
      throw new MalformedBytes('a distribution that is not what its head says')
  }

  #readValue(reader: ByteReader, bucket: number): number {
    return (reader.varint() + Math.floor(bucketLower(bucket) / this.scale)) * this.scale
  }

  #setLarge(sum: bigint): void {
    this.isLarge = true
    this.largeSum = sum
  }
}

/** Two numbers up to this add up without rounding. */
export const maxExactAddend = 2 ** 52

const maxHead = bucketCount * 4 + 3

/** Skips distributions and reads only count and sum of each. */
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

export type DistributionConsumer = { addFrom(reader: ByteReader): void }
