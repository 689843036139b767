import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { inClusters, usageOf } from '../usage/cluster-costs.ts'
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
      const query = {
        group_by: 'namespace',
        step: 'week',
        sharing: 'apart',
        start_date,
        end_date,
        ...of,
      } as const
      return answer(service.GET('/v1/costs', { params: { query }, signal })).then((rows) =>
        usageOf(inClusters(rows)),
      )
    },
    enabled,
  })
}

const dayMs = 86_400_000

/** Loads the names of all containers of the last day of a period. */
export function useContainerNames({ end_date }: Pick<Period, 'end_date'>, enabled: boolean) {
  const start_date = new Date(Date.parse(end_date) - dayMs).toISOString()
  return useQuery({
    queryKey: ['container-names', end_date],
    queryFn: ({ signal }) => {
      const query = { group_by: 'container', step: 'week', start_date, end_date }
      return answer(service.GET('/v1/costs', { params: { query }, signal })).then((rows) =>
        usageOf(inClusters(rows)),
      )
    },
    enabled,
    staleTime: 300_000,
  })
}

export const useSettings = () =>
  useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answer(service.GET('/v1/settings', { signal })),
  })
