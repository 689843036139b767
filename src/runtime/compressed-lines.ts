import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export interface PackedLines {
  readonly count: number
  readonly bytes: Uint8Array
}

/** Lines of text in order, kept in a tenth of their size; none of them holds a line feed. */
export class CompressedLines {
  readonly #packed: PackedLines[]
  /** Not compressed yet: an answer of some hundred containers never is. */
  #open: string[] = []
  #openChars = 0

  constructor(packed: PackedLines[] = []) {
    this.#packed = packed
  }

  /** Those that are compressed. */
  get packed(): readonly PackedLines[] {
    return this.#packed
  }

  add(line: string): void {
    this.#open.push(line)
    this.#openChars += line.length + 1
    if (this.#openChars >= packChars) this.seal()
  }

  /** Compresses what is not yet; returns the bytes of all of them. */
  seal(): number {
    if (this.#open.length > 0)
      this.#packed.push({ count: this.#open.length, bytes: zstdCompressSync(this.#open.join('\n')) })
    this.#open = []
    this.#openChars = 0
    return this.#packed.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** Lines [from, to), some hundreds at a time; those of one piece alone are held. */
  *pieces(from: number, to: number): Generator<string[]> {
    let first = 0
    for (const { count, bytes } of this.#packed) {
      if (first < to && first + count > from)
        yield between(zstdDecompressSync(bytes).toString().split('\n'), first, from, to)
      first += count
    }
    const rest = between(this.#open, first, from, to)
    if (rest.length > 0) yield rest
  }
}

const between = (lines: string[], first: number, from: number, to: number): string[] =>
  lines.slice(Math.max(0, from - first), Math.max(0, to - first))

const packChars = 256 * 1024
