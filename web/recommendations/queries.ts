import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { decideParts } from './decide-parts.ts'
import type { AdviceFilter } from './filter.ts'
import { patchParts } from './patch-parts.ts'

export type AdvicePage = paths['/v1/recommendations']['get']['responses'][200]['content']['application/json']
export type Advice = AdvicePage['recommendations'][number]
export type Decision = Omit<
  paths['/v1/recommendations']['patch']['requestBody']['content']['application/json'],
  'ids' | 'if_match'
>

const pageRows = 50

/** Loads more pages on request. Sums and facets cover everything that passes the filter. */
export function useRecommendations(filter: AdviceFilter) {
  return useInfiniteQuery({
    queryKey: ['recommendations', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const query = { ...filter, limit: pageRows, ...cursor }
      return answer(service.GET('/v1/recommendations', { params: { query }, signal }))
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** Loads the recommendations of greatest worth, for a summary. */
export function useBestRecommendations(filter: AdviceFilter, limit: number) {
  return useQuery({
    queryKey: ['recommendations', filter, 'best', limit],
    queryFn: ({ signal }) =>
      answer(service.GET('/v1/recommendations', { params: { query: { ...filter, limit } }, signal })),
  })
}

/** Returns the selected containers as patches of their workloads, one file per cluster. */
export async function patchFiles(
  chosen: readonly Advice[],
): Promise<{ readonly name: string; readonly text: string }[]> {
  const clusters = [...Map.groupBy(chosen.filter(hasPatch), ({ cluster }) => cluster!)]
  return Promise.all(
    clusters.map(async ([cluster, of]) => ({
      name: `${cluster.replaceAll(/[^\w.-]/g, '_')}-patches.yaml`,
      text: (await Promise.all(patchParts(of).map(patchText))).join(''),
    })),
  )
}

async function patchText(advice: readonly Advice[]): Promise<string> {
  const query = { ids: advice.map(({ id }) => id).join(','), format: 'patch' } as const
  const asked = service.GET('/v1/recommendations/patches', {
    params: { query },
    headers: { accept: '*/*' },
    parseAs: 'text',
  })
  return (await answer(asked)) as string
}

/** Machines and nodes cannot be changed by a patch, and what is no longer recommended should not be. */
export const hasPatch = ({ workload, outdated_since }: Advice): boolean =>
  workload !== null && outdated_since === null

/** `onDone` gets the ids that were decided, and what was not, because someone else has decided on it meanwhile. */
export type OnDecided = (ids: readonly string[], changedMeanwhile: readonly Advice[]) => void

export function useDecide(onDone: OnDecided) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ chosen, decision }: { chosen: readonly Advice[]; decision: Decision }) => {
      const changed: Advice[] = []
      for (const part of decideParts(chosen)) {
        const ids = part.map(({ id }) => id)
        const if_match = Object.fromEntries(part.map(({ id, etag }) => [id, etag]))
        const body = { ids, if_match, ...decision }
        changed.push(...(await answer(service.PATCH('/v1/recommendations', { body }))).changed_meanwhile)
      }
      return changed
    },
    // If one of several requests fails, others have changed recommendations.
    onSettled: async (changed, error, { chosen }) => {
      await queries.invalidateQueries({ queryKey: ['recommendations'] })
      if (error !== null) return
      const kept = new Set(changed!.map(({ id }) => id))
      onDone(
        chosen.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
        changed!,
      )
    },
  })
}
