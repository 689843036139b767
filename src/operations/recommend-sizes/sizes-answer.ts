import type { SizesDeps } from './deps.ts'
import type { NamespaceDraft } from './namespace-draft.ts'
import type { SizesQuery } from './query.ts'
import { sizeNamespaces } from './size-namespaces.ts'
import { type AnswerFormat, ContainerLines, streamNamespaces } from './stream-answer.ts'

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
