import { Problem } from '../../domain/problem.ts'
import type { PatchFormat } from '../manifests/patches.ts'
import { writePatches } from '../manifests/recommendation-patches.ts'
import type { RecommendationDeps } from './deps.ts'
import { recordFrom } from './rows/followed-recommendation.ts'
import type { Recommendation } from './schema.ts'

export const patchFormats = ['patch', 'kustomize'] as const satisfies readonly PatchFormat[]

/** As many ids as fit into a URL. */
export const maxPatched = 400

export function parseIds(text: string): string[] {
  const ids = text.split(',').flatMap((id) => id.trim() || [])
  if (ids.length > 0 && ids.length <= maxPatched) return ids
  const message = `must be 1 to ${maxPatched} ids, separated by commas`
  throw new Problem('invalid', 'The query is invalid.', { errors: [{ pointer: '?ids', message }] })
}

/** Writes Kubernetes patches for recommendations, with the sizes that were listed or accepted. */
export async function exportPatches(
  { store }: Pick<RecommendationDeps, 'store'>,
  organisation: string,
  ids: readonly string[],
  format: PatchFormat,
): Promise<string> {
  const found = (await store.recommendations.find(organisation, [...new Set(ids)])).map(recordFrom)
  if (found.length === 0) throw new Problem('not-found', 'No recommendation has these ids.')
  const made = found.filter(({ ended }) => ended === undefined).map(({ recommendation }) => recommendation)
  const all = made.filter(({ workload }) => workload !== null)
  const groups = Map.groupBy(all, ({ cluster, namespace }) => JSON.stringify([cluster, namespace]))
  refuseMixed(all, format, groups.size)
  const pieces = remarkOnMissing(made, found.length - made.length, new Set(ids).size - found.length)
  for (const group of groups.values()) pieces.push(...writePatches(group, format))
  return pieces.join('')
}

/** Returns a comment that counts the ids without a patch, by cause; nothing if all have one. */
function remarkOnMissing(made: readonly Recommendation[], outdated: number, unknown: number): string[] {
  const count = (kind: string, few: number): string[] =>
    few === 0 ? [] : [`${few} ${kind}${few === 1 ? '' : 's'}`]
  const without = made.filter(({ workload }) => workload === null)
  const byKind = Map.groupBy(without, ({ kind }) => kind)
  const causes = [
    ...[...byKind].flatMap(([kind, some]) => count(kind, some.length)),
    ...count('outdated recommendation', outdated),
    ...count('unknown id', unknown),
  ]
  return causes.length === 0 ? [] : [`# There is no patch for ${causes.join(', ')}.\n`]
}

/** A file is applied to one cluster, and the targets of a Kustomize component have no namespace. */
function refuseMixed(all: readonly Recommendation[], format: PatchFormat, namespaces: number): void {
  const message =
    new Set(all.map(({ cluster }) => cluster)).size > 1
      ? 'must belong to one cluster, because a file is applied to one cluster'
      : format === 'kustomize' && namespaces > 1
        ? 'must belong to one namespace, because a component is for one namespace'
        : undefined
  if (message === undefined) return
  throw new Problem('invalid', 'The selection cannot be exported as one file.', {
    errors: [{ pointer: '?ids', message }],
  })
}
