import { usdOf } from '../../allocation/spend.ts'
import type { NamespaceDraft, PricedContainer } from '../../namespace-sizes/namespace-draft.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { CompressedLines } from '../../runtime/compressed-lines.ts'
import type { KeptSizes } from './kept-sizes.ts'
import { NamespaceText, type ShownNamespace } from './namespace-text.ts'
import { namespaceCursor } from './query.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view.ts'

export interface SizesAnswerDeps extends SizesDeps {
  /** Answers that were worked out lately; absent: none is kept. */
  readonly kept?: KeptSizes
}

/** Text in pieces, made as they are taken. */
interface SizesAnswer {
  readonly pieces: AsyncGenerator<string>
  /** Cursor of the next page while there is more. */
  readonly next?: string
}

/**
 * A page is sized before it is written, since its link comes before it. All there is, without pages, is written namespace by
 * namespace. An answer that was kept lately is not worked out again.
 */
export async function sizesAnswer(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  format: AnswerFormat,
  signal: AbortSignal,
): Promise<SizesAnswer> {
  const kept = await deps.kept?.find(organisation, query)
  if (kept !== undefined) return answerOf(kept.shown, kept.next, format)
  const sizing = shownBy(deps, organisation, query, signal)
  const isPage = query.containerLimit !== undefined || Number.isFinite(query.limit)
  if (!isPage) return answerOf(sizing, undefined, format)
  const shown: ShownNamespace[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return answerOf(shown, value, format)
    shown.push(value)
  }
}

const answerOf = (
  shown: AsyncIterable<ShownNamespace> | Iterable<ShownNamespace>,
  next: string | undefined,
  format: AnswerFormat,
): SizesAnswer => ({ pieces: streamNamespaces(shown, format), ...(next === undefined ? {} : { next }) })

/** Sizes namespaces, and keeps an answer about all of them. */
async function* shownBy(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  signal: AbortSignal,
): AsyncGenerator<ShownNamespace, string | undefined> {
  const keeping = await deps.kept?.begin(organisation, query)
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerLines(), { signal })
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) {
      void keeping?.finish()
      return value && namespaceCursor(value)
    }
    const text = namespaceText(value, deps.now())
    keeping?.add(text)
    yield { text, from: value.from, to: value.to }
  }
}

/** One JSON array, or a line of JSON for each namespace. */
type AnswerFormat = 'json' | 'ndjson'

const pieceChars = 64 * 1024

/** In pieces: none is written before the one before was taken. */
async function* streamNamespaces(
  namespaces: AsyncIterable<ShownNamespace> | Iterable<ShownNamespace>,
  format: AnswerFormat = 'json',
): AsyncGenerator<string> {
  const isArray = format === 'json'
  let piece = isArray ? '[' : ''
  let isFirst = true
  for await (const { text, from, to } of namespaces) {
    piece += `${isArray && !isFirst ? ',' : ''}${text.head}`
    isFirst = false
    let separator = ''
    for (const container of text.containers(from, to)) {
      piece += `${separator}${container}`
      separator = ','
      if (piece.length < pieceChars) continue
      yield piece
      piece = ''
    }
    piece += `${text.tail}${isArray ? '' : '\n'}`
  }
  yield isArray ? `${piece}]` : piece
}

/** Containers as encoded in a response, each without its last member and the closing brace. */
class ContainerLines {
  readonly lines = new CompressedLines()

  add(container: PricedContainer): void {
    this.lines.add(`${JSON.stringify(container.key)}:${JSON.stringify(viewSizes(container)).slice(0, -1)}`)
  }
}

function namespaceText(draft: NamespaceDraft<ContainerLines>, createdAt: number): NamespaceText {
  const { cluster, namespace, keys } = draft
  const head = `${JSON.stringify(viewSpend(draft, createdAt)).slice(0, -1)},"ContainerRecommendations":{`
  const tail = `},${JSON.stringify(viewTotals(draft)).slice(1)}`
  const newSpends = keys.map((_, index) => viewUsd(usdOf(draft.spendThenAt(index))))
  return new NamespaceText({ cluster, namespace, keys, head, tail, newSpends }, draft.content.lines)
}
