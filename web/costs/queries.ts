import { useQueries } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { currency } from '../parts/currency.ts'
import { type ClusterCost, usageOf, withIdle } from '../usage/cluster-costs.ts'
import { type Period, periodBefore } from '../usage/period.ts'
import type { CostSelection } from './selection.ts'

export type CostRow = ClusterCost
type CostsParams = NonNullable<paths['/v1/costs']['get']['parameters']['query']>

export interface CostsQuery {
  readonly groupBy: string
  readonly cluster: string | undefined
  readonly namespace?: string | undefined
  readonly sharing?: NonNullable<CostsParams['sharing']>
  readonly period: Pick<Period, 'start_date' | 'end_date'>
}

/** Whether rows of this grouping include idle cost. */
export const hasIdle = (groupBy: string): boolean => groupBy === 'cluster' || groupBy === 'node'

export const costsParams = (query: CostsQuery, step: string): CostsParams => ({
  group_by: query.groupBy,
  step,
  ...(query.sharing === undefined ? {} : { sharing: query.sharing }),
  start_date: query.period.start_date,
  end_date: query.period.end_date,
  ...(query.cluster === undefined ? {} : { cluster: query.cluster }),
  ...(query.namespace === undefined ? {} : { namespace: query.namespace }),
})

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
      costsOf({ ...query, groupBy: 'cluster', namespace: undefined }, step, idle),
      costsOf(before, 'week', withBefore),
      costsOf({ ...before, groupBy: 'cluster', namespace: undefined }, 'week', withBefore && idle),
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

interface SelectedCosts {
  readonly rows: readonly CostRow[]
  /** Costs of whole clusters: how much was measured, and what was idle. */
  readonly idleRows: readonly CostRow[]
}

/** Leaves out what is not selected. Idle costs of whole clusters are not part of a selection of containers. */
export function selectedCosts(
  { isPart, workload, values }: CostSelection,
  rows: readonly CostRow[],
  idleRows: readonly CostRow[],
): SelectedCosts {
  if (!isPart) return { rows, idleRows }
  return {
    rows: rows.filter(
      (row) =>
        (workload === undefined || row.workload === workload) &&
        (values.length === 0 || values.includes(row.value ?? '')),
    ),
    idleRows: idleRows.map((row) => ({ ...row, idle_cost_usd: 0, estimated_idle_cost_usd: 0 })),
  }
}

/** Returns every row of the response as the service writes it, in the selected currency. */
export async function costsCsv(query: CostsQuery, days: number, format?: 'focus'): Promise<string> {
  // FOCUS has no steps of a week.
  const step = format === 'focus' && stepOf(days) === 'week' ? 'day' : stepOf(days)
  return (await answer(
    service.GET('/v1/costs', {
      params: {
        query: {
          ...costsParams(query, step),
          ...(format === undefined ? {} : { format }),
          currency: currency.get().code,
        },
      },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    }),
  )) as unknown as string
}
