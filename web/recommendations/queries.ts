import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { AdviceFilter } from './filter.ts'

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
      text: (await answer(
        service.GET('/v1/recommendations/patches', {
          params: { query: { ids: of.map(({ id }) => id).join(','), format: 'patch' } },
          headers: { accept: '*/*' },
          parseAs: 'text',
        }),
      )) as string,
    })),
  )
}

/** Machines and nodes cannot be changed by a patch. */
export const hasPatch = ({ workload }: Advice): boolean => workload !== null

export function useDecide(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, decision }: { ids: readonly string[]; decision: Decision }) =>
      answer(service.PATCH('/v1/recommendations', { body: { ids: [...ids], ...decision } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['recommendations'] })
      onDone()
    },
  })
}
