/** A value may span several chunks. Each method returns the position after it, or -1 if it does not end in this chunk. */
export class ValueEnd {
  #depth = 0
  #quoted = false
  #escaped = false

  enter(): void {
    this.#depth = 1
  }

  /** The hot loop: nearly every byte of a large file passes here. */
  ofContainer(chunk: Buffer, from: number): number {
    const { length } = chunk
    let depth = this.#depth
    let quoted = this.#quoted
    let i = this.#unescaped(from)
    while (i < length) {
      if (quoted) {
        // Strings are short: a loop is faster than a search in native code.
        while (i < length && chunk[i] !== 0x22 && chunk[i] !== 0x5c) i++
        if (i >= length) break
        if (chunk[i++] === 0x22) quoted = false
        else if (i++ === length) this.#escaped = true
        continue
      }
      while (i < length && isStructural[chunk[i]!] === 0) i++
      if (i >= length) break
      const byte = chunk[i++]!
      if (byte === 0x22) quoted = true
      else if (byte === 0x7b || byte === 0x5b) depth++
      else if (--depth === 0) {
        this.#quoted = false
        return i
      }
    }
    this.#depth = depth
    this.#quoted = quoted
    return -1
  }

  /** Starts after the opening quote. */
  ofString(chunk: Buffer, from: number): number {
    for (let i = this.#unescaped(from); i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === 0x22) return i + 1
      if (byte === 0x5c && ++i >= chunk.length) this.#escaped = true
    }
    return -1
  }

  ofScalar(chunk: Buffer, from: number): number {
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) return i
    }
    return -1
  }

  /** Skips the byte that follows a backslash at the end of the last chunk. */
  #unescaped(from: number): number {
    if (!this.#escaped) return from
    this.#escaped = false
    return from + 1
  }
}

/** Bytes outside strings that determine where a value ends: " [ ] { }. */
const isStructural = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"[]{}'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

const maxBytes = 32 * 1024 * 1024

/** The pieces of one value that began in an earlier chunk. */
export class Carry {
  #pieces: Buffer[] = []
  #bytes = 0

  hold(chunk: Buffer, start: number): void {
    this.#bytes += chunk.length - start
    if (this.#bytes > maxBytes) throw new NotJson(`a value is larger than ${maxBytes} bytes`)
    this.#pieces.push(Buffer.from(chunk.subarray(start)))
  }

  /** Returns the whole value, whose last piece is in this chunk, and drops the earlier pieces. */
  joined(chunk: Buffer, start: number, after: number): Buffer {
    const last = chunk.subarray(start, after)
    if (this.#pieces.length === 0) return last
    const all = Buffer.concat([...this.#pieces, last])
    this.#pieces = []
    this.#bytes = 0
    return all
  }
}

/** Thrown if a text is not JSON. `cut` is true if it only ends too early. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  readonly cut: boolean

  constructor(message: string, cut = false) {
    super(message)
    this.cut = cut
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NotJson((error as Error).message)
  }
}
