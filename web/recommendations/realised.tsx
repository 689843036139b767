import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { counted, money, monthName } from '../parts/figures.ts'
import { SpendList } from '../parts/spend-list.tsx'
import type { RecommendationFilter } from './filter.ts'
import { moreRows, type Recommendation } from './queries.ts'

/** Shows what was applied: in which month, and what all of it saves since then. */
export function RealisedOverTime({
  filter,
}: {
  filter: Pick<RecommendationFilter, 'cluster' | 'namespace' | 'kind'>
}) {
  const query = { ...filter, state: 'applied', limit: moreRows }
  const asked = useQuery({
    queryKey: ['recommendations', 'realised', query],
    queryFn: ({ signal }) => answer(service.GET('/v1/recommendations', { params: { query }, signal })),
  })
  const months = monthsOf(asked.data?.recommendations ?? [], Date.now())
  if (months.length === 0) return null
  return (
    <details className="realised">
      <summary>Savings over time</summary>
      <SpendList
        label="Savings over time"
        items={months.map(({ month, perMonth, applied }) => ({
          id: month,
          name: monthName(month),
          note: applied > 0 && `${counted(applied, 'recommendation')} applied`,
          perMonth,
          said: `${money(perMonth)} per month`,
        }))}
      />
    </details>
  )
}

/** Returns each month from the first with what saved at its end: 2026-09, 2026-10, ... */
export function monthsOf(rows: readonly Pick<Recommendation, 'kind' | 'realised'>[], now: number) {
  // What nodes save contains what their containers save.
  const applied = rows.flatMap(({ kind, realised }) =>
    realised === null || kind === 'cluster' ? [] : realised,
  )
  const byMonth = Map.groupBy(applied, ({ since }) => since.slice(0, 7))
  const [first] = [...byMonth.keys()].sort()
  const months: { month: string; perMonth: number; applied: number }[] = []
  if (first === undefined) return months
  const last = new Date(now).toISOString().slice(0, 7)
  for (let month = first, perMonth = 0; month <= last; month = monthAfter(month)) {
    const of = byMonth.get(month) ?? []
    perMonth += of.reduce((sum, { per_month }) => sum + per_month, 0)
    months.push({ month, perMonth, applied: of.length })
  }
  return months
}

const monthAfter = (month: string): string => {
  const next = new Date(`${month}-01T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.toISOString().slice(0, 7)
}
