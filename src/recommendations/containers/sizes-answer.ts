import {
  ContainerLines,
  namespaceText,
  type ShownNamespace,
  type SizesFormat,
  streamNamespaces,
} from './answer/write-namespaces.ts'
import { namespaceCursor } from './query.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from './size-namespaces.ts'

interface SizesAnswer {
  readonly pieces: AsyncGenerator<string>
  readonly next?: string
}

/**
 * A page is sized completely before it is written, because the link to the next page is sent before it. An answer
 * without pages is written namespace by namespace.
 */
export async function sizesAnswer(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery,
  format: SizesFormat,
  signal: AbortSignal,
): Promise<SizesAnswer> {
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

async function* shownBy(deps: SizesDeps, organisation: string, query: SizesQuery, signal: AbortSignal) {
  const sizing = sizeNamespaces(deps, organisation, query, () => new ContainerLines(), { signal })
  for (;;) {
    const { value, done } = await sizing.next()
    if (done) return value && namespaceCursor(value)
    yield { text: namespaceText(value, deps.now()), from: value.from, to: value.to }
  }
}
