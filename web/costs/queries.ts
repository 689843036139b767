import { useQueries } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { type ClusterCost, usageOf, withIdle } from '../usage/cluster-costs.ts'
import type { Period } from '../usage/period.ts'

export type CostRow = ClusterCost
type CostsParams = NonNullable<paths['/v1/costs']['get']['parameters']['query']>

export interface CostsQuery {
  readonly groupBy: string
  readonly cluster: string | undefined
  readonly period: Pick<Period, 'start_date' | 'end_date'>
}

/** Whether rows of this grouping include idle cost. */
export const hasIdle = (groupBy: string): boolean => groupBy === 'cluster' || groupBy === 'node'

export const costsParams = ({ groupBy, cluster, period }: CostsQuery, step: string): CostsParams => ({
  group_by: groupBy,
  step,
  // The page adds idle cost itself.
  sharing: 'apart',
  start_date: period.start_date,
  end_date: period.end_date,
  ...(cluster === undefined ? {} : { cluster }),
})

/** Returns the preceding period of the same length. */
export function periodBefore({ start_date, end_date }: CostsQuery['period']): CostsQuery['period'] {
  const start = Date.parse(start_date)
  const before = start - (Date.parse(end_date) - start)
  return { start_date: new Date(before).toISOString(), end_date: start_date }
}

/** Uses hours for up to three days, weeks for more than 120 days, and days in between. */
export const stepOf = (days: number): 'hour' | 'day' | 'week' =>
  days <= 3 ? 'hour' : days <= 120 ? 'day' : 'week'

/** Loads everything that the page needs at once: the groups, idle cost, and both for the previous period. */
export function useCosts(query: CostsQuery, days: number, withBefore: boolean) {
  const before = { ...query, period: periodBefore(query.period) }
  const idle = !hasIdle(query.groupBy)
  const step = stepOf(days)
  return useQueries({
    queries: [
      costsOf(query, step, true),
      costsOf({ ...query, groupBy: 'cluster' }, step, idle),
      costsOf(before, 'week', withBefore),
      costsOf({ ...before, groupBy: 'cluster' }, 'week', withBefore && idle),
    ],
    combine: ([now, nowIdle, then, thenIdle]) => ({
      rows: now!.data,
      idleRows: idle ? nowIdle!.data : now!.data,
      beforeRows: then!.data,
      beforeIdleRows: idle ? thenIdle!.data : then!.data,
      isPending: now!.isPending || (idle && nowIdle!.isPending),
      error: now!.error ?? nowIdle!.error ?? then!.error ?? thenIdle!.error,
      refetch: () =>
        Promise.all(
          [now!, nowIdle!, then!, thenIdle!].filter((each) => each.isError).map((each) => each.refetch()),
        ),
    }),
  })
}

function costsOf(query: CostsQuery, step: string, enabled: boolean) {
  const params = costsParams(query, step)
  return {
    queryKey: ['costs', params],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answer(service.GET('/v1/costs', { params: { query: params }, signal })).then(
        hasIdle(query.groupBy) ? withIdle : usageOf,
      ),
    enabled,
  }
}

/** Returns every row of the response as the service writes it. */
export async function costsCsv(query: CostsQuery, days: number): Promise<string> {
  return (await answer(
    service.GET('/v1/costs', {
      params: { query: costsParams(query, stepOf(days)) },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    }),
  )) as unknown as string
}
