/** A varint has 7 bits a byte, lowest first, all bytes but the last with the high bit. `bigVarint` goes beyond 2^53. */
export class ByteWriter {
  #bytes: Uint8Array
  length = 0

  constructor(capacityBytes = 256) {
    this.#bytes = new Uint8Array(capacityBytes)
  }

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
    if (this.length + 8 > this.#bytes.length) this.#grow(8)
    new DataView(this.#bytes.buffer, this.length, 8).setFloat64(0, value, true)
    this.length += 8
  }

  float32(value: number): void {
    if (this.length + 4 > this.#bytes.length) this.#grow(4)
    new DataView(this.#bytes.buffer, this.length, 4).setFloat32(0, value, true)
    this.length += 4
  }

  text(value: string): void {
    this.block(textEncoder.encode(value))
  }

  block(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.raw(bytes)
  }

  raw(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Returns a view of what was written. It is valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

const textEncoder = new TextEncoder()
