/** Writes numbers and texts end to end. A varint has seven bits a byte, lowest first, the eighth set where more follow. */
export class SnapshotWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  varint(value: number): void {
    this.#room(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  double(value: number): void {
    this.#room(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  block(block: Uint8Array): void {
    this.varint(block.length)
    this.#room(block.length)
    this.#bytes.set(block, this.#length)
    this.#length += block.length
  }

  text(text: string): void {
    this.block(Buffer.from(text))
  }

  #room(needed: number): void {
    if (this.#length + needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + needed))
    larger.set(this.bytes())
    this.#bytes = larger
  }
}

/** The bytes are not what their reader expects. */
export class MalformedSnapshot extends Error {
  override readonly name = 'MalformedSnapshot'
}

/** Reads what SnapshotWriter wrote and believes nothing: every length is held against what is left. */
export class SnapshotReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    if (this.left < 1) throw new MalformedSnapshot('ends too early')
    return this.#bytes[this.#at++]!
  }

  varint(): number {
    const only = this.#bytes[this.#at]
    if (only !== undefined && only < 0x80) {
      this.#at++
      return only
    }
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) throw new MalformedSnapshot('holds a number that is too large')
        return value
      }
      scale *= 0x80
    }
    throw new MalformedSnapshot('holds a number that is too long')
  }

  /** A varint that must be below the bound. */
  below(bound: number, what: string): number {
    const value = this.varint()
    if (value >= bound) throw new MalformedSnapshot(`holds ${what} ${value} of ${bound}`)
    return value
  }

  /** A count of things that each take at least so many bytes of what is left. */
  count(bytesEach: number, what: string): number {
    return this.below(Math.floor(this.left / bytesEach) + 1, `a count of ${what},`)
  }

  double(): number {
    if (this.left < 8) throw new MalformedSnapshot('ends too early')
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }

  block(): Buffer {
    const length = this.count(1, 'bytes')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  text(): string {
    return decodeUtf8(this.block())
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedSnapshot('holds a text that is not UTF-8')
  }
}
