import { usdOf } from '../../../costs/allocation/spend.ts'
import type { NamespaceRef } from '../../../domain/subject.ts'
import { CompressedLines } from '../../../runtime/compressed-lines.ts'
import type { NamespaceDraft, PricedContainer } from '../namespace-draft.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view-namespace.ts'

export type SizesFormat = 'json' | 'ndjson'

export const separator = ',\n'
const pieceChars = 64 * 1024

/** Yields pieces of text. The next piece is made after the previous one was consumed. */
export async function* streamNamespaces(
  namespaces: AsyncIterable<ShownNamespace> | Iterable<ShownNamespace>,
  format: SizesFormat = 'json',
): AsyncGenerator<string> {
  const isArray = format === 'json'
  let piece = isArray ? '[' : ''
  let isFirst = true
  for await (const { text, from, to } of namespaces) {
    piece += `${isArray && !isFirst ? separator : ''}${text.head}`
    isFirst = false
    let comma = ''
    for (const containers of containersOf(text, from, to)) {
      piece += `${comma}${containers.join(',')}`
      comma = ','
      if (piece.length < pieceChars) continue
      yield piece
      piece = ''
    }
    piece += `${text.tail}${isArray ? '' : '\n'}`
  }
  yield isArray ? `${piece}]` : piece
}

/** Yields containers [from, to) as members of an object, some hundreds at a time. */
function* containersOf({ lines, newSpends }: NamespaceText, from: number, to: number): Generator<string[]> {
  let index = from
  for (const some of lines.pieces(from, to))
    yield some.map((line) => `${line},"NewSpend":${newSpends[index++]}}`)
}

/** A namespace as encoded in a response: what is before its containers, the containers, and what is after them. */
interface NamespaceText extends NamespaceRef {
  readonly keys: readonly string[]
  readonly head: string
  readonly lines: CompressedLines
  /** New spend of each container as it is written. It is stored apart because it is known last. */
  readonly newSpends: readonly number[]
  readonly tail: string
}

export interface ShownNamespace {
  readonly text: NamespaceText
  readonly from: number
  readonly to: number
}

/** Containers as encoded in a response, each without its last member and the closing brace. */
export class ContainerLines {
  readonly lines = new CompressedLines()

  add(container: PricedContainer): void {
    this.lines.add(`${JSON.stringify(container.key)}:${JSON.stringify(viewSizes(container)).slice(0, -1)}`)
  }
}

/** Encodes a namespace once all of it is sized. `createdAt` is in milliseconds since 1970. */
export function namespaceText(draft: NamespaceDraft<ContainerLines>, createdAt: number): NamespaceText {
  const { cluster, namespace, keys } = draft
  const members = { ...viewSpend(draft, createdAt), ContainerRecommendations: {}, ...viewTotals(draft) }
  // No text of a member can contain this, because quotation marks in it are escaped.
  const [before, tail] = JSON.stringify(members).split('"ContainerRecommendations":{')
  const newSpends = keys.map((_, index) => viewUsd(usdOf(draft.newSpendAt(index))))
  const head = `${before}"ContainerRecommendations":{`
  return { cluster, namespace, keys, head, lines: draft.content.lines, newSpends, tail: tail! }
}
