import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { AdviceFilter } from './filter.ts'
import { patchParts } from './patch-parts.ts'

export type AdvicePage = paths['/v1/recommendations']['get']['responses'][200]['content']['application/json']
export type Advice = AdvicePage['recommendations'][number]
export type Decision = Omit<
  paths['/v1/recommendations']['patch']['requestBody']['content']['application/json'],
  'ids'
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

/** Machines and nodes cannot be changed by a patch. */
export const hasPatch = ({ workload }: Advice): boolean => workload !== null

/** The service changes this many recommendations at once. */
const maxDecided = 1000

export function useDecide(onDone: (ids: readonly string[]) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, decision }: { ids: readonly string[]; decision: Decision }) => {
      for (let from = 0; from < ids.length; from += maxDecided) {
        const part = ids.slice(from, from + maxDecided)
        await answer(service.PATCH('/v1/recommendations', { body: { ids: part, ...decision } }))
      }
    },
    // If one of several requests fails, others have changed recommendations.
    onSettled: async (_, error, { ids }) => {
      await queries.invalidateQueries({ queryKey: ['recommendations'] })
      if (error === null) onDone(ids)
    },
  })
}
