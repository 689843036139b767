import { usdOf } from '../../allocation/spend.ts'
import { CompressedLines } from './compressed-lines.ts'
import type { SizesDeps } from './deps.ts'
import type { NamespaceDraft } from './namespace-draft.ts'
import type { SizesQuery } from './query.ts'
import { sizeNamespaces } from './size-namespaces.ts'
import type { PricedContainer } from './sized-container.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view.ts'

/** Text in pieces, made as they are taken. */
interface SizesAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page while there is more. */
  readonly next?: string
}

/**
 * A page is sized before it is written, since its link comes before it. All there is, without pages, is written cluster by
 * cluster.
 */
export async function sizesAnswer(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  format: AnswerFormat,
  signal: AbortSignal,
): Promise<SizesAnswer> {
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerLines(), { signal })
  const isPage = query.containerLimit !== undefined || Number.isFinite(query.limit)
  if (!isPage) return { pieces: streamNamespaces(sizing, deps.now(), format) }
  const drafts: NamespaceDraft<ContainerLines>[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (!done) {
      drafts.push(value)
      continue
    }
    const pieces = streamNamespaces(drafts, deps.now(), format)
    return { pieces, ...(value === undefined ? {} : { next: value }) }
  }
}

/** Containers as encoded in a response, each without its last member and the closing brace. */
class ContainerLines {
  readonly lines = new CompressedLines()

  add(container: PricedContainer): void {
    this.lines.add(`${JSON.stringify(container.key)}:${JSON.stringify(viewSizes(container)).slice(0, -1)}`)
  }
}

/** One JSON array, or a line of JSON for each namespace. */
type AnswerFormat = 'json' | 'ndjson'

const pieceChars = 64 * 1024

/** In pieces: none is written before the one before was taken. */
async function* streamNamespaces(
  namespaces: AsyncIterable<NamespaceDraft<ContainerLines>> | Iterable<NamespaceDraft<ContainerLines>>,
  createdAt: number,
  format: AnswerFormat = 'json',
): AsyncGenerator<string> {
  const isArray = format === 'json'
  let piece = isArray ? '[' : ''
  let isFirst = true
  for await (const draft of namespaces) {
    if (isArray && !isFirst) piece += ','
    isFirst = false
    piece += `${JSON.stringify(viewSpend(draft, createdAt)).slice(0, -1)},"ContainerRecommendations":{`
    let index = draft.from
    for (const lines of draft.content.lines.pieces(draft.from, draft.to))
      for (const line of lines) {
        const newSpend = viewUsd(usdOf(draft.spendThenAt(index)))
        piece += `${index === draft.from ? '' : ','}${line},"NewSpend":${newSpend}}`
        index++
        if (piece.length < pieceChars) continue
        yield piece
        piece = ''
      }
    piece += `},${JSON.stringify(viewTotals(draft)).slice(1)}${isArray ? '' : '\n'}`
  }
  yield isArray ? `${piece}]` : piece
}
