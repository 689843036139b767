import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { usageOf } from '../usage/cluster-costs.ts'
import type { Period } from '../usage/period.ts'

/** Loads the costs of namespaces over a period, in as few rows as possible. */
export function useNamespaceCosts(
  { start_date, end_date }: Period,
  cluster: string | undefined,
  enabled = true,
) {
  return useQuery({
    queryKey: ['namespace-costs', start_date, end_date, cluster],
    queryFn: ({ signal }) => {
      const of = cluster === undefined ? {} : { cluster }
      const query = { group_by: 'namespace', step: 'week', start_date, end_date, ...of }
      return answer(service.GET('/v1/costs', { params: { query }, signal })).then(usageOf)
    },
    enabled,
  })
}
