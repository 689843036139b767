import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { RecommendationFilter } from './filter.ts'

/** Loads the recommendations of greatest worth, for a summary. */
export function useBestRecommendations(filter: RecommendationFilter, limit: number) {
  return useQuery({
    queryKey: ['recommendations', filter, 'best', limit],
    queryFn: ({ signal }) =>
      answer(service.GET('/v1/recommendations', { params: { query: { ...filter, limit } }, signal })),
  })
}
