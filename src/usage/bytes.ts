/** Thrown for bytes that do not follow their layout. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes'
}

/**
 * A growing buffer. A varint is 7 bits a byte, lowest first, the high bit set on all bytes but the last;
 * whole numbers up to 2^53, larger ones by bigVarint.
 */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.length++] = value
  }

  varint(value: number): void {
    let rest = value
    while (rest > 0x7fffffff) {
      this.byte((rest % 128) | 0x80)
      rest = Math.floor(rest / 128)
    }
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  bigVarint(value: bigint): void {
    let rest = value
    for (; rest > 0x7fn; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80)
    this.byte(Number(rest))
  }

  /** Zigzag: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }

  uint32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 0xff)
  }

  float64(value: number): void {
    scratch.setFloat64(0, value, true)
    for (let index = 0; index < 8; index++) this.byte(scratch.getUint8(index))
  }

  text(value: string): void {
    const encoded = textEncoder.encode(value)
    this.varint(encoded.length)
    this.raw(encoded)
  }

  raw(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Throws MalformedSnapshot where the bytes end early or a number is too long. */
export class ByteReader {
  readonly bytes: Uint8Array
  offset: number
  readonly end: number

  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.bytes = bytes
    this.offset = offset
    this.end = end
  }

  byte(): number {
    return this.offset < this.end ? this.bytes[this.offset++]! : ended()
  }

  varint(): number {
    const { bytes, end } = this
    let { offset } = this
    // By hand rather than by byte(), and in 32 bits as long as it fits: whatever is read is mostly read here.
    let byte = offset < end ? bytes[offset++]! : ended()
    if (byte < 0x80) {
      this.offset = offset
      return byte
    }
    let value = byte & 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      byte = offset < end ? bytes[offset++]! : ended()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.offset = offset
        return value
      }
    }
    let large = value
    for (let scale = 2 ** 28; ; scale *= 128) {
      byte = offset < end ? bytes[offset++]! : ended()
      large += (byte & 0x7f) * scale
      if (large > Number.MAX_SAFE_INTEGER) throw new MalformedBytes('a number is above 2^53')
      if (byte < 0x80) {
        this.offset = offset
        return large
      }
    }
  }

  /** A varint below 2^49; of a longer one -1, and nothing is read. */
  shortVarint(): number {
    const { bytes, end, offset } = this
    let low = 0
    let high = 0
    for (let index = 0; index < 7; index++) {
      const byte = offset + index < end ? bytes[offset + index]! : ended()
      if (index < 4) low |= (byte & 0x7f) << (7 * index)
      else high |= (byte & 0x7f) << (7 * index - 28)
      if (byte >= 0x80) continue
      this.offset = offset + index + 1
      return high * 2 ** 28 + low
    }
    return -1
  }

  bigVarint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 140n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new MalformedBytes('a number is above 2^140')
  }

  signed(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  signedBig(): bigint {
    const value = this.bigVarint()
    return value & 1n ? -(value + 1n) / 2n : value / 2n
  }

  uint32(): number {
    return (this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24)) >>> 0
  }

  /** How many items of at least this many bytes follow; refused where they cannot fit in what is left. */
  count(bytesEach: number): number {
    const count = this.varint()
    if (count * bytesEach > this.end - this.offset) throw new MalformedBytes('the bytes end early')
    return count
  }

  float64(): number {
    for (let index = 0; index < 8; index++) scratch.setUint8(index, this.byte())
    return scratch.getFloat64(0, true)
  }

  skip(length: number): void {
    if (length > this.end - this.offset) throw new MalformedBytes('the bytes end early')
    this.offset += length
  }

  /** A view, not a copy. */
  raw(length: number): Uint8Array {
    if (length > this.end - this.offset) throw new MalformedBytes('the bytes end early')
    this.offset += length
    return this.bytes.subarray(this.offset - length, this.offset)
  }
}

function ended(): never {
  throw new MalformedBytes('the bytes end early')
}

const scratch = new DataView(new ArrayBuffer(8))
const textEncoder = new TextEncoder()
