/** Trusts nothing: throws MalformedBytes if a length exceeds the bytes that are left. */
export class ByteReader {
  readonly bytes: Uint8Array
  offset: number
  readonly end: number

  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.bytes = bytes
    this.offset = offset
    this.end = end
  }

  get left(): number {
    return this.end - this.offset
  }

  byte(): number {
    return this.offset < this.end ? this.bytes[this.offset++]! : ended()
  }

  varint(): number {
    // Most varints have one byte. Longer ones are read by another method, so that this one stays small enough for V8 to
    // inline wherever it is called.
    const byte = this.offset < this.end ? this.bytes[this.offset++]! : ended()
    return byte < 0x80 ? byte : this.#restOfVarint(byte)
  }

  /** Uses 32-bit arithmetic for the first 28 bits, and floating-point arithmetic only for longer numbers. */
  #restOfVarint(first: number): number {
    const { bytes, end } = this
    let { offset } = this
    let value = first & 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = offset < end ? bytes[offset++]! : ended()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.offset = offset
        return value
      }
    }
    let large = value
    for (let scale = 2 ** 28; scale <= 2 ** 49; scale *= 128) {
      const byte = offset < end ? bytes[offset++]! : ended()
      large += (byte & 0x7f) * scale
      if (large > Number.MAX_SAFE_INTEGER) throw new MalformedBytes('holds a number that is too large')
      if (byte < 0x80) {
        this.offset = offset
        return large
      }
    }
    throw new MalformedBytes('holds a number that is too long')
  }

  below(bound: number, what: string): number {
    const value = this.varint()
    if (value >= bound) throw new MalformedBytes(`holds ${what} ${value} of ${bound}`)
    return value
  }

  /** Reads a varint below 2^49. Returns -1 and reads nothing if it is longer. */
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
    throw new MalformedBytes('holds a number above 2^140')
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

  /** Each of at least `bytesEach` bytes; throws MalformedBytes if so many cannot fit into what is left. */
  count(bytesEach: number, what = 'items'): number {
    return this.below(Math.floor(this.left / bytesEach) + 1, `a count of ${what},`)
  }

  float64(): number {
    if (this.left < 8) ended()
    this.offset += 8
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.offset - 8, 8).getFloat64(0, true)
  }

  text(): string {
    return decodeUtf8(this.block())
  }

  /** Reads a length and as many bytes. Returns a view, not a copy. */
  block(): Uint8Array {
    return this.raw(this.varint())
  }

  skip(length: number): void {
    if (length > this.left) ended()
    this.offset += length
  }

  /** Returns a view, not a copy. */
  raw(length: number): Uint8Array {
    if (length > this.left) ended()
    this.offset += length
    return this.bytes.subarray(this.offset - length, this.offset)
  }
}

/** Thrown if bytes are not what their reader expects. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes'
}

function ended(): never {
  throw new MalformedBytes('ends too early')
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return textDecoder.decode(bytes)
  } catch {
    throw new MalformedBytes('holds a text that is not UTF-8')
  }
}

const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function isAt(bytes: Uint8Array, offset: number, known: Uint8Array, length = known.length): boolean {
  for (let index = 0; index < length; index++) if (bytes[offset + index] !== known[index]) return false
  return true
}
