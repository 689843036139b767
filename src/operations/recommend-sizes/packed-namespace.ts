import { CompressedLines } from './compressed-lines.ts'
import type { NamespaceRef } from './query.ts'

/** A namespace as encoded in a response: its head, its containers as members of an object, and what follows them. */
export interface NamespaceText extends NamespaceRef {
  /** Keys of containers, in order. */
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  containers(from: number, to: number): Iterable<string>
}

/** The containers of a namespace that a page shows. */
export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}

/** A namespace's text, compressed. */
export class PackedNamespace implements NamespaceText {
  readonly cluster: string
  readonly namespace: string
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  /** What it takes in memory, about. */
  readonly bytes: number
  readonly #lines = new CompressedLines()

  constructor(text: NamespaceText) {
    this.cluster = text.cluster
    this.namespace = text.namespace
    this.keys = text.keys
    this.head = text.head
    this.tail = text.tail
    for (const line of text.containers(0, text.keys.length)) this.#lines.add(line)
    this.bytes = this.#lines.seal() + this.head.length + this.tail.length + this.keys.length * keyBytes
  }

  *containers(from: number, to: number): Generator<string> {
    for (const lines of this.#lines.pieces(from, to)) yield* lines
  }
}

const keyBytes = 64
