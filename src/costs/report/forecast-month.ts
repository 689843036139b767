import { dollars, round } from '../../domain/money.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { plural } from '../../domain/text.ts'
import { dayMs, hourMs } from '../../domain/time.ts'
import { usageUsd } from '../allocation/cost-columns.ts'
import { type DayCost, forecastCost, minForecastDays } from '../allocation/forecast.ts'
import { parseCostsRequest } from './query.ts'
import { type CostsDeps, reportCosts } from './report-costs.ts'
import type { CostForecastQuery, CostForecastView } from './schema.ts'

const historyDays = 56

/** Forecasts what the current month will have cost at its end, idle cost included. */
export async function forecastMonth(
  deps: CostsDeps,
  organisation: string,
  { cluster, namespace, without }: Unchecked<typeof CostForecastQuery>,
  signal?: AbortSignal,
): Promise<CostForecastView> {
  const now = deps.now()
  const today = Math.floor(now / dayMs)
  const { first, end } = monthOf(now)
  const start = Math.min(first, today - historyDays)
  const period = { start_date: iso(start), end_date: new Date(now).toISOString() }
  const request = { ...period, cluster, namespace, without, group_by: 'cluster', step: 'day' }
  const query = parseCostsRequest(request, now, deps.labels, await deps.sharingOf?.(organisation))
  const groups = await reportCosts(deps, organisation, query, signal)
  const days = new Map<number, number>()
  for (const { key, columns, step } of groups.rows()) {
    const usd =
      key.type === 'idle' ? columns.idleUsd[step]! : usageUsd(columns, step) + columns.sharedUsd[step]!
    const day = Math.floor(key.fromHour / 24)
    days.set(day, (days.get(day) ?? 0) + usd)
  }
  const { from, to } = groups.measured
  const isWhole = (day: number): boolean =>
    day * 24 >= from - 0.5 && (day + 1) * 24 <= Math.min(to + 0.5, today * 24)
  const whole = [...days]
    .filter(([day]) => isWhole(day))
    .map(([day, usd]) => ({ day, usd }))
    .sort((a, b) => a.day - b.day)
  return viewForecast({ days, whole, first, end, today, measuredTo: to })
}

interface Known {
  readonly days: ReadonlyMap<number, number>
  /** Days that were measured from their beginning to their end. */
  readonly whole: readonly DayCost[]
  /** The month, in days since 1970. */
  readonly first: number
  readonly end: number
  readonly today: number
  /** Hours since 1970. */
  readonly measuredTo: number
}

export function viewForecast({ days, whole, first, end, today, measuredTo }: Known): CostForecastView {
  let soFar = 0
  for (const [day, usd] of days) if (day >= first && day < end) soFar += usd
  const forecast = forecastCost(whole, today, end)
  const measuredDays = Math.max(
    0,
    Math.min(measuredTo / 24, end) - Math.max(first, [...days.keys()].sort((a, b) => a - b)[0] ?? end),
  )
  const common = {
    month: iso(first).slice(0, 7),
    days: end - first,
    so_far_usd: round(soFar, 2),
    measured_days: round(measuredDays, 2),
    history_days: whole.length,
  }
  if (forecast === undefined)
    return {
      ...common,
      ...{ forecast_usd: null, low_usd: null, high_usd: null, has_weekdays: false },
      text: `It is too early for a forecast: ${plural(whole.length, 'whole day')} of usage, and ${minForecastDays} are needed. So far ${dollars(soFar)}.`,
    }
  const todayUsd = days.get(today) ?? 0
  const usd = soFar - todayUsd + Math.max(todayUsd, forecast.usd)
  const low = Math.max(soFar, usd - forecast.spreadUsd)
  const high = usd + forecast.spreadUsd
  const pattern = forecast.hasWeekdays ? 'their pattern of weekdays' : 'their mean, without weekdays'
  return {
    ...common,
    ...{ forecast_usd: round(usd, 2), low_usd: round(low, 2), high_usd: round(high, 2) },
    has_weekdays: forecast.hasWeekdays,
    text: `${iso(first).slice(0, 7)} will cost about ${dollars(usd)}, with a chance of 80% between ${dollars(low)} and ${dollars(high)}, by ${plural(whole.length, 'whole day')} and ${pattern}. So far ${dollars(soFar)}.`,
  }
}

function monthOf(now: number): { first: number; end: number } {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { first: Date.UTC(year, month) / dayMs, end: Date.UTC(year, month + 1) / dayMs }
}

const iso = (day: number): string => new Date(day * 24 * hourMs).toISOString()
