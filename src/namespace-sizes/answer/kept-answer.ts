import type { NamespaceRef } from '../../domain/subject.ts'
import type { AnswerCodec } from '../../runtime/answer-cache.ts'
import { CompressedBytes, type PackedBytes, type RecentPacks } from '../../runtime/compressed-bytes.ts'
import type { NamespaceText } from './namespace-text.ts'
import { type SizesFormat, separator } from './write-namespaces.ts'

type Range = [from: number, to: number]

/** Lines are separated by the last byte of the separator alone. */
const lineFeedAt = separator.length - 1

/** Where the containers of a namespace are in its text. */
interface ContainerPlaces {
  readonly keys: readonly string[]
  /** Length of the text before the first container. */
  readonly head: number
  readonly lengths: readonly number[]
}

/** A namespace of a kept answer: bytes [start, end) of the text, with a separator before it. */
export class KeptNamespace implements NamespaceRef {
  readonly cluster: string
  readonly namespace: string
  /** Number of containers. */
  readonly containers: number
  readonly start: number
  readonly end: number
  /** JSON, which is parsed only for a page that begins or ends inside the namespace. */
  readonly placesText: Buffer

  constructor([cluster, namespace, containers, length]: IndexEntry, start: number, placesText: Buffer) {
    this.cluster = cluster
    this.namespace = namespace
    this.containers = containers
    this.start = start
    this.end = start + length
    this.placesText = placesText
  }

  places(): ContainerPlaces {
    return JSON.parse(this.placesText.toString())
  }
}

/** An answer about all namespaces of an organisation, as it is sent. */
export interface KeptAnswer {
  readonly namespaces: readonly KeptNamespace[]
  readonly text: CompressedBytes
}

export class KeptAnswerBuilder implements KeptAnswer {
  readonly namespaces: KeptNamespace[] = []
  readonly text = new CompressedBytes()
  #placesLength = 0

  /** Approximate size in memory. */
  get size(): number {
    return this.text.compressedLength + this.#placesLength
  }

  add(added: NamespaceText): void {
    const { cluster, namespace, keys, head, tail } = added
    const start = this.text.length
    const lengths: number[] = []
    this.text.add(`${separator}${head}`)
    for (const containers of added.containers(0, keys.length)) {
      const isFirst = lengths.length === 0
      for (const container of containers) lengths.push(Buffer.byteLength(container))
      this.text.add(`${isFirst ? '' : ','}${containers.join(',')}`)
    }
    this.text.add(tail)
    const places: ContainerPlaces = { keys, head: Buffer.byteLength(head), lengths }
    const placesText = Buffer.from(JSON.stringify(places))
    this.#placesLength += placesText.length
    const entry: IndexEntry = [cluster, namespace, keys.length, this.text.length - start, placesText.length]
    this.namespaces.push(new KeptNamespace(entry, start, placesText))
  }

  finish(): KeptAnswer {
    this.text.seal()
    return this
  }
}

/** The range of containers that a page shows of a kept namespace. */
export interface ShownRange {
  readonly kept: KeptNamespace
  readonly from: number
  readonly to: number
}

/** Yields the text of a page. The next piece is made after the previous one was consumed. */
export async function* streamKept(
  { text }: KeptAnswer,
  shown: readonly ShownRange[],
  format: SizesFormat,
  packs: RecentPacks,
): AsyncGenerator<string | Uint8Array> {
  const isArray = format === 'json'
  if (isArray) yield '['
  yield* text.pieces(rangesOf(shown, isArray ? 0 : lineFeedAt), packs.unpack)
  if (isArray) yield ']'
  else if (shown.length > 0) yield '\n'
}

/** Returns what is shown, with the separator from this byte on before each namespace but the first. */
function rangesOf(shown: readonly ShownRange[], separatorFrom: number): Range[] {
  const ranges: Range[] = []
  const add = (from: number, to: number): void => {
    const last = ranges.at(-1)
    if (last?.[1] === from) last[1] = to
    else ranges.push([from, to])
  }
  for (const { kept, from, to } of shown) {
    const { start, end } = kept
    const text = start + separator.length
    if (ranges.length > 0) add(start + separatorFrom, text)
    if (from === 0 && to === kept.containers) add(text, end)
    else {
      const { head, lengths } = kept.places()
      const at = (index: number) =>
        lengths.slice(0, index).reduce((sum, length) => sum + length + 1, text + head)
      add(text, text + head)
      add(at(from), at(to) - 1)
      add(at(kept.containers) - 1, end)
    }
  }
  return ranges
}

/**
 * Encodes an answer so that one namespace can be read without decompressing the others:
 *
 *     length of the index   uint32
 *     index                 JSON: namespaces and packs
 *     places of containers  JSON for each namespace, side by side
 *     packs                 the text, compressed, side by side
 */
export const keptAnswerCodec: AnswerCodec<KeptAnswer> = {
  format: 'sizes 3',
  async encode({ namespaces, text }) {
    const index: Index = {
      namespaces: namespaces.map(({ cluster, namespace, containers, start, end, placesText }) => {
        return [cluster, namespace, containers, end - start, placesText.length]
      }),
      packs: text.packs.map(({ length, bytes }) => [length, bytes.length]),
    }
    const indexText = Buffer.from(JSON.stringify(index))
    const indexLength = Buffer.alloc(lengthBytes)
    indexLength.writeUInt32LE(indexText.length)
    const places = namespaces.map(({ placesText }) => placesText)
    return Buffer.concat([indexLength, indexText, ...places, ...text.packs.map(({ bytes }) => bytes)])
  },
  async decode(bytes) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let end = lengthBytes + whole.readUInt32LE(0)
    const index: Index = JSON.parse(whole.toString('utf8', lengthBytes, end))
    const next = (length: number): Buffer => {
      end += length
      return whole.subarray(end - length, end)
    }
    let start = 0
    const namespaces = index.namespaces.map((entry) => {
      const kept = new KeptNamespace(entry, start, next(entry[4]))
      start = kept.end
      return kept
    })
    // Copies, because a pack may be in use for longer than its answer is kept.
    const packs = index.packs.map(
      ([length, packed]): PackedBytes => ({ length, bytes: Uint8Array.from(next(packed)) }),
    )
    if (end !== whole.length) throw new Error('the parts are not as long as the index says')
    return { answer: { namespaces, text: new CompressedBytes(packs) }, size: whole.length }
  },
}

interface Index {
  readonly namespaces: readonly IndexEntry[]
  readonly packs: readonly (readonly [length: number, compressed: number])[]
}

type IndexEntry = [
  cluster: string,
  namespace: string,
  containers: number,
  length: number,
  placesLength: number,
]

const lengthBytes = 4
