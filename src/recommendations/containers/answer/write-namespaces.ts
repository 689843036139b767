import { usdOf } from '../../../costs/allocation/spend.ts'
import { CompressedLines } from '../../../runtime/compressed-lines.ts'
import type { NamespaceDraft, PricedContainer } from '../namespace-draft.ts'
import { NamespaceText, type ShownNamespace } from './namespace-text.ts'
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
    for (const containers of text.containers(from, to)) {
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
  const head = `${JSON.stringify(viewSpend(draft, createdAt)).slice(0, -1)},"ContainerRecommendations":{`
  const tail = `},${JSON.stringify(viewTotals(draft)).slice(1)}`
  const newSpends = keys.map((_, index) => viewUsd(usdOf(draft.newSpendAt(index))))
  return new NamespaceText({ cluster, namespace, keys, head, tail, newSpends }, draft.content.lines)
}
