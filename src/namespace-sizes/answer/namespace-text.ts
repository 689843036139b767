import type { NamespaceRef } from '../../domain/subject.ts'
import type { AnswerCodec } from '../../runtime/answer-cache.ts'
import { CompressedLines, type PackedLines } from '../../runtime/compressed-lines.ts'

export interface NamespaceFields extends NamespaceRef {
  /** Keys of the containers, in order. */
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  /** New spend of each container as it is written. It is stored apart because it is known last. */
  readonly newSpends: readonly number[]
}

/** A namespace of a cached answer. Its text may have to be decompressed first. */
export interface CachedNamespace extends NamespaceRef {
  text(): NamespaceText
}

/** A namespace as encoded in a response: its head, its containers as members of an object, and its tail. */
export class NamespaceText implements NamespaceFields, CachedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly keys: readonly string[]
  readonly head: string
  readonly tail: string
  readonly newSpends: readonly number[]
  /** One line per container, without its new spend and the closing brace. */
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

  /** Yields containers [from, to) as members of an object, some hundreds at a time. */
  *containers(from: number, to: number): Generator<string> {
    let index = from
    for (const lines of this.lines.pieces(from, to))
      yield lines.map((line) => `${line},"NewSpend":${this.newSpends[index++]}}`).join(',')
  }

  /** Compresses the remaining lines for longer storage. Returns the approximate size in memory. */
  seal(): number {
    return this.lines.seal() + this.head.length + this.tail.length + this.keys.length * bytesPerContainer
  }
}

/** Size of a container's key and numbers, which are stored beside its line. */
const bytesPerContainer = 100

/** The range of containers that a page shows. */
export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}

/**
 * Encodes namespaces so that one of them can be read without decompressing the others:
 *
 *     length of the index   uint32
 *     index                 JSON: cluster, namespace and length of the part of each
 *     parts, side by side:
 *       length of the text  uint32
 *       text                JSON: everything except the lines; for these the count and length of each pack
 *       packs of lines      compressed, side by side
 */
export const namespacesCodec: AnswerCodec<readonly CachedNamespace[]> = {
  format: 'sizes 2',
  async encode(namespaces) {
    const parts = namespaces.map((namespace) => encodeText(namespace.text()))
    const index = namespaces.map(({ cluster, namespace }, at): IndexEntry => {
      return [cluster, namespace, parts[at]!.length]
    })
    return Buffer.concat([withLength(index), ...parts])
  },
  async decode(bytes) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { value: index, rest } = readJson<readonly IndexEntry[]>(whole)
    let end = rest
    const answer = index.map(([cluster, namespace, length]) => {
      const start = end
      end += length
      return new PackedNamespace({ cluster, namespace }, whole.subarray(start, end))
    })
    if (end !== whole.length) throw new Error('the parts are not as long as the index says')
    return { answer, size: whole.length - rest }
  },
}

type IndexEntry = [cluster: string, namespace: string, length: number]

interface TextOfPart extends Omit<NamespaceFields, keyof NamespaceRef> {
  readonly packs: readonly (readonly [count: number, length: number])[]
}

class PackedNamespace implements CachedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly #bytes: Buffer

  constructor({ cluster, namespace }: NamespaceRef, bytes: Buffer) {
    this.cluster = cluster
    this.namespace = namespace
    this.#bytes = bytes
  }

  text(): NamespaceText {
    const { cluster, namespace } = this
    const { value, rest } = readJson<TextOfPart>(this.#bytes)
    const { packs, ...fields } = value
    let end = rest
    const packed = packs.map(([count, length]): PackedLines => {
      const start = end
      end += length
      return { count, bytes: this.#bytes.subarray(start, end) }
    })
    return new NamespaceText({ cluster, namespace, ...fields }, new CompressedLines(packed))
  }
}

/** Requires a sealed namespace. */
function encodeText({ keys, head, tail, newSpends, lines }: NamespaceText): Buffer {
  const packs = lines.packed.map(({ count, bytes }) => [count, bytes.length] as const)
  const text: TextOfPart = { keys, head, tail, newSpends, packs }
  return Buffer.concat([withLength(text), ...lines.packed.map(({ bytes }) => bytes)])
}

function withLength(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text])
}

/** Reads what withLength() wrote at the beginning of `bytes`. `rest` is the offset after it. */
function readJson<Value>(bytes: Buffer): { readonly value: Value; readonly rest: number } {
  const rest = lengthBytes + bytes.readUInt32LE(0)
  return { value: JSON.parse(bytes.toString('utf8', lengthBytes, rest)), rest }
}

const lengthBytes = 4
