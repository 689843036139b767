import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { Period } from './period.ts'

export type ClusterCost = paths['/v1/costs']['get']['responses'][200]['content']['application/json'][number]

/** Loads the cost of every cluster on every day of a period. */
export function useClusterCosts(period: Pick<Period, 'start_date' | 'end_date'>, enabled = true) {
  const { start_date, end_date } = period
  return useQuery({
    queryKey: ['cluster-costs', start_date, end_date],
    queryFn: ({ signal }) =>
      answer(
        service.GET('/v1/costs', {
          params: { query: { group_by: 'cluster', step: 'day', start_date, end_date } },
          signal,
        }),
      ),
    enabled,
  })
}
