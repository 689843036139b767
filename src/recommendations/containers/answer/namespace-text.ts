import type { NamespaceRef } from '../../../domain/subject.ts'
import type { CompressedLines } from '../../../runtime/compressed-lines.ts'

interface NamespaceFields extends NamespaceRef {
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  /** New spend of each container as it is written. It is stored apart because it is known last. */
  readonly newSpends: readonly number[]
}

/** A namespace as encoded in a response: its head, its containers as members of an object, and its tail. */
export class NamespaceText implements NamespaceFields {
  readonly cluster: string
  readonly namespace: string
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  readonly newSpends: readonly number[]
  /** One line per container, without its new spend and the closing brace. */
  readonly #lines: CompressedLines

  constructor({ cluster, namespace, keys, head, tail, newSpends }: NamespaceFields, lines: CompressedLines) {
    this.cluster = cluster
    this.namespace = namespace
    this.keys = keys
    this.head = head
    this.tail = tail
    this.newSpends = newSpends
    this.#lines = lines
  }

  /** Yields containers [from, to) as members of an object, some hundreds at a time. */
  *containers(from: number, to: number): Generator<string[]> {
    let index = from
    for (const lines of this.#lines.pieces(from, to))
      yield lines.map((line) => `${line},"NewSpend":${this.newSpends[index++]}}`)
  }
}

export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}
