import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'

export type UsageSource = paths['/v1/sources']['get']['responses'][200]['content']['application/json'][number]

/** What is wrong with a source. A long interval only limits what can be seen. */
export const faultsOf = ({ problems }: UsageSource): UsageSource['problems'] =>
  problems.filter(({ code }) => code !== 'long-interval')

/** Lists the clusters and machines that ever sent usage. Polls while `isLive`, so that a first connection is shown. */
export function useSources(isLive = false, enabled = true) {
  return useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sources', { signal })),
    refetchInterval: isLive ? 5_000 : false,
    enabled,
  })
}
