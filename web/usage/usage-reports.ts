import { useQueries } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { usePlace } from '../state/router.ts'
import { type Period, periodBefore } from './period.ts'

type UsageCall = paths['/v1/usage/{kind}/{id}']['get']
export type UsageReport = UsageCall['responses'][200]['content']['application/json']
export type UsageStep = UsageReport['steps'][number]
export type UsageResource = 'cpu_cores' | 'memory_gib'

/** Uses hours for up to a week, so that the course of a day is visible. */
const usageStepOf = (days: number): 'hour' | 'day' => (days <= 7 ? 'hour' : 'day')

/** Loads usage over time, and that of the previous period if the address says so. */
export function useUsageReports(
  kind: UsageCall['parameters']['path']['kind'],
  ids: readonly string[],
  period: Pick<Period, 'start_date' | 'end_date' | 'days'>,
) {
  const isCompared = usePlace().params.get('before') === 'on'
  const step = usageStepOf(period.days)
  const queryOf = (id: string, { start_date, end_date }: Pick<Period, 'start_date' | 'end_date'>) => ({
    queryKey: ['usage', id, start_date, end_date, step],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answer(
        service.GET('/v1/usage/{kind}/{id}', {
          params: { path: { kind, id }, query: { step, start_date, end_date } },
          signal,
        }),
      ),
  })
  const earlier = periodBefore(period)
  const asked = useQueries({
    queries: [
      ...ids.map((id) => queryOf(id, period)),
      ...(isCompared ? ids.map((id) => queryOf(id, earlier)) : []),
    ],
    combine: (all) => {
      const now = all.slice(0, ids.length)
      return {
        reports: now.flatMap(({ data }) => data ?? []),
        before: all.slice(ids.length).flatMap(({ data }) => data ?? []),
        isPending: now.some(({ isPending }) => isPending),
        error: now.find(({ error }) => error !== null)?.error ?? null,
        refetch: () => Promise.all(now.map((each) => each.refetch())),
      }
    },
  })
  return {
    ...asked,
    step,
    isCompared,
    shiftMs: Date.parse(earlier.end_date) - Date.parse(earlier.start_date),
  }
}

/** Sums of the previous period, at the times of this one. */
export function usageBefore(
  before: readonly UsageReport[],
  shiftMs: number,
  value: (step: UsageStep) => number | null,
): [time: number, value: number][] {
  const sums = new Map<number, number>()
  for (const { steps } of before)
    for (const step of steps) {
      const time = Date.parse(step.start) + shiftMs
      const of = value(step)
      if (of !== null) sums.set(time, (sums.get(time) ?? 0) + of)
    }
  return [...sums].sort(([one], [other]) => one - other)
}
