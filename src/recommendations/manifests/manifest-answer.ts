import { noSpend } from '../../costs/allocation/spend.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import { joinPieces } from '../../domain/text.ts'
import { type SizesDeps, type SizesQuery, sizeNamespaces } from '../containers/size-namespaces.ts'
import { ManifestContent } from './manifest-content.ts'
import { type ManifestFormat, manifestFormats } from './write-head.ts'

const pieceChars = 64 * 1024
const nothing = {
  measuredHours: 0,
  newSpendAt: noSpend,
}

/** Streams the manifest of the one namespace that the query selects. Pieces are made as they are consumed. */
export async function* manifestAnswer(
  deps: SizesDeps,
  organisation: string,
  query: SizesQuery & NamespaceRef,
  format: ManifestFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const newContent = () => new ManifestContent(query, format)
  const sizing = sizeNamespaces(deps, organisation, query, newContent, { signal })
  const { value: draft, done } = await sizing.next()
  await sizing.return(undefined)
  const written = done
    ? newContent().pieces(nothing)
    : draft.content.pieces({
        measuredHours: draft.measuredHours,
        newSpendAt: (index) => draft.newSpendAt(index),
      })
  yield* joinPieces(written, pieceChars)
}

export { type ManifestFormat, manifestFormats }

export const yamlMediaType = 'application/yaml'
export const csvMediaType = 'text/csv'

export const fileNames: Readonly<Record<ManifestFormat, string>> = {
  patch: 'patch.yaml',
  vpa: 'vpa.yaml',
  quota: 'quota.yaml',
  kustomize: 'kustomization.yaml',
  csv: 'recommendations.csv',
}

export const mediaTypeOf = (format: ManifestFormat): string =>
  format === 'csv' ? csvMediaType : yamlMediaType
