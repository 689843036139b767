import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { NamespaceRef } from '../../domain/subject.ts'

export interface NamespaceFields extends NamespaceRef {
  /** Keys of containers, in order. */
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  /** New spend of each container, as numbers are written: it is known last. */
  readonly newSpends: readonly number[]
}

/** A namespace of a kept answer; its text may have to be unpacked first. */
export interface KeptNamespace extends NamespaceRef {
  text(): NamespaceText
}

/** A namespace as encoded in a response: its head, its containers as members of an object, and what follows them. */
export class NamespaceText implements NamespaceFields, KeptNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  readonly newSpends: readonly number[]
  /** Containers, each without its new spend and the closing brace. */
  readonly lines: CompressedLines

  constructor({ cluster, namespace, keys, head, tail, newSpends }: NamespaceFields, lines: CompressedLines) {
    this.cluster = cluster
    this.namespace = namespace
    this.keys = keys
    this.head = head
    this.tail = tail
    this.newSpends = newSpends
    this.lines = lines
  }

  text(): NamespaceText {
    return this
  }

  *containers(from: number, to: number): Generator<string> {
    let index = from
    for (const lines of this.lines.pieces(from, to))
      for (const line of lines) yield `${line},"NewSpend":${this.newSpends[index++]}}`
  }

  /** Compresses what is not yet, to be kept for a while; returns what it takes in memory, about. */
  seal(): number {
    return this.lines.seal() + this.head.length + this.tail.length + this.keys.length * bytesPerContainer
  }
}

/** Its key and its numbers, beside its line. */
const bytesPerContainer = 100

/** The containers of a namespace that a page shows. */
export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}

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
