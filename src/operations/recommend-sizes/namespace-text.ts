import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { NamespaceRef } from '../../domain/subject.ts'

/** A namespace as encoded in a response: its head, its containers as members of an object, and what follows them. */
export interface NamespaceText extends NamespaceRef {
  /** Keys of containers, in order. */
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  containers(from: number, to: number): Iterable<string>
  /** Compresses what is not yet, to be kept for a while; returns what it takes in memory, about. */
  seal(): number
}

/** The containers of a namespace that a page shows. */
export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}

/** Lines of text in order, kept in a tenth of their size; none of them holds a line feed. */
export class CompressedLines {
  readonly #packed: { readonly count: number; readonly bytes: Uint8Array }[] = []
  /** Not compressed yet: an answer of some hundred containers never is. */
  #open: string[] = []
  #openChars = 0

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
