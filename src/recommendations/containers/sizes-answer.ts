import type { ShownNamespace } from '../../namespace-sizes/answer/namespace-text.ts'
import type { SizesCache } from '../../namespace-sizes/answer/sizes-cache.ts'
import {
  ContainerLines,
  namespaceText,
  type SizesFormat,
  streamNamespaces,
} from '../../namespace-sizes/answer/write-namespaces.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../../namespace-sizes/size-namespaces.ts'
import { namespaceCursor } from './query.ts'

export interface SizesAnswerDeps extends SizesDeps {
  /** Recently computed answers. Without it, no answer is kept. */
  readonly sizesCache?: SizesCache
}

/** Text in pieces that are made as they are consumed. */
interface SizesAnswer {
  readonly pieces: AsyncGenerator<string | Uint8Array>
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/**
 * A page is sized completely before it is written, because the link to the next page is sent before it. An answer
 * without pages is written namespace by namespace. An answer that is still kept is not computed again.
 */
export async function sizesAnswer(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  format: SizesFormat,
  signal: AbortSignal,
): Promise<SizesAnswer> {
  const cached = await deps.sizesCache?.find(organisation, query)
  if (cached !== undefined)
    return answerOf(cached.pieces(format), cached.next && namespaceCursor(cached.next))
  const sizing = shownBy(deps, organisation, query, signal)
  const isPage = query.containerLimit !== undefined || Number.isFinite(query.limit)
  if (!isPage) return answerOf(streamNamespaces(sizing, format), undefined)
  const shown: ShownNamespace[] = []
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return answerOf(streamNamespaces(shown, format), value)
    shown.push(value)
  }
}

const answerOf = (pieces: SizesAnswer['pieces'], next: string | undefined): SizesAnswer => ({
  pieces,
  ...(next === undefined ? {} : { next }),
})

/** Sizes namespaces, and keeps the answer if it covers all of them. */
async function* shownBy(
  deps: SizesAnswerDeps,
  organisation: string,
  query: SizesQuery,
  signal: AbortSignal,
): AsyncGenerator<ShownNamespace, string | undefined> {
  const keeping = await deps.sizesCache?.begin(organisation, query)
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
