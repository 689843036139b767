import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Lines of text in order, compressed to about a tenth of their size. A line must not contain a line feed. */
export class CompressedLines {
  readonly #packed: { readonly count: number; readonly bytes: Uint8Array }[] = []
  /** Lines that are not compressed yet. An answer with a few hundred containers is never compressed. */
  #open: string[] = []
  #openChars = 0

  add(line: string): void {
    this.#open.push(line)
    this.#openChars += line.length + 1
    if (this.#openChars < packChars) return
    this.#packed.push({ count: this.#open.length, bytes: zstdCompressSync(this.#open.join('\n')) })
    this.#open = []
    this.#openChars = 0
  }

  /** Yields lines [from, to), some hundreds at a time. Only one piece is decompressed at a time. */
  *pieces(from: number, to: number): Generator<string[]> {
    let first = 0
    for (const { count, bytes } of this.#packed) {
      if (first < to && first + count > from)
        yield between(zstdDecompressSync(bytes, { chunkSize }).toString().split('\n'), first, from, to)
      first += count
    }
    const rest = between(this.#open, first, from, to)
    if (rest.length > 0) yield rest
  }
}

const between = (lines: string[], first: number, from: number, to: number): string[] =>
  lines.slice(Math.max(0, from - first), Math.max(0, to - first))

const packChars = 256 * 1024
/** Most packs have less. With the default of 16 KiB, decompression takes up to twice as long. */
const chunkSize = 64 * 1024
