import type { SizesDeps } from '../recommend-sizes/deps.ts'
import type { NamespaceRef, SizesQuery } from '../recommend-sizes/query.ts'
import { sizeNamespaces } from '../recommend-sizes/size-namespaces.ts'
import { ManifestContent } from './manifest-content.ts'
import type { ManifestFormat } from './write-head.ts'

const pieceChars = 64 * 1024
const nothing = {
  quota: { cpu: 0, memory: 0 },
  measuredHours: 0,
  spendThenAt: () => ({ cpuUsd: 0, memoryUsd: 0 }),
}

/** The manifest of the one namespace that the query is about, in pieces that are made as they are taken. */
export async function* manifestAnswer(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery & NamespaceRef,
  format: ManifestFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const newContent = () => new ManifestContent(query, format)
  const sizing = sizeNamespaces(deps, organisation, query, newContent, { signal })
  const { value: draft } = await sizing.next()
  await sizing.return(undefined)
  const written =
    typeof draft === 'object'
      ? draft.content.pieces({
          quota: draft.totals.quota,
          measuredHours: draft.measuredHours,
          spendThenAt: (index) => draft.spendThenAt(index),
        })
      : newContent().pieces(nothing)
  let piece = ''
  for (const part of written) {
    piece += part
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
  }
  yield piece
}
