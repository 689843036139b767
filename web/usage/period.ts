import { useMemo } from 'react'
import { day, dayShort } from '../parts/figures.ts'
import { setParams, usePlace } from '../state/router.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const usualDays = 14
const maxDays = 400

/** Days up to now that the bar offers. */
const presetDays = [1, 7, 14, 30, 90] as const
const presetMonths = ['this-month', 'last-month'] as const

/** The periods that the bar offers, apart from a range of days. */
export const presets = [...presetDays, ...presetMonths]
export type Preset = (typeof presets)[number]

export interface Period {
  readonly start_date: string
  readonly end_date: string
  readonly days: number
  /** "14 days", "1 Nov to 14 Nov", or "1 Nov to 14 Nov 2025". */
  readonly words: string
  /** Undefined if it is a range of days. */
  readonly preset: Preset | undefined
  /** The first and the last day if the user chose them. */
  readonly chosen: { readonly from: string; readonly to: string } | undefined
  /** Why the period in the address is not shown. */
  readonly problem: string | undefined
}

/** The first and the last day of a period, for the name of a file. */
export const datesOf = ({ start_date, end_date }: Pick<Period, 'start_date' | 'end_date'>): string =>
  `${start_date.slice(0, 10)}-to-${iso(Date.parse(end_date) - 1).slice(0, 10)}`

/** Returns the period in the address. It stays the same until the next hour begins. */
export function usePeriod(): Period {
  const { params } = usePlace()
  const hour = Math.floor(Date.now() / hourMs)
  const [days, from, to] = ['days', 'from', 'to'].map((name) => params.get(name))
  return useMemo(() => periodOf({ days, from, to }, hour * hourMs), [days, from, to, hour])
}

interface PeriodParams {
  readonly days?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

export function periodOf({ days, from, to }: PeriodParams, now: number): Period {
  const isRange = from != null || to != null
  const rangeWrong = isRange ? rangeProblem(from ?? '', to ?? '') : undefined
  if (isRange && rangeWrong === undefined) {
    const [first, last] = [dayOf(from)!, dayOf(to)!]
    const end = last + dayMs
    return {
      start_date: iso(first),
      end_date: iso(end),
      days: (end - first) / dayMs,
      words: daysText(first, last, now),
      preset: undefined,
      chosen: { from: from!, to: to! },
      problem: undefined,
    }
  }
  // The period ends with the current hour, so that queries stay the same until the next one.
  const end = (Math.floor(now / hourMs) + 1) * hourMs
  const month = presetMonths.find((name) => name === days)
  if (month !== undefined) return { ...monthOf(month, now, end), problem: rangeWrong }
  const preset = presetDays.find((each) => each === Number(days))
  const length = preset ?? usualDays
  // Machines are compared after 24 measured hours, and the current hour is not over, so one day begins an hour earlier.
  // Longer periods do not, because the service precomputes them.
  const start = end - length * dayMs
  return {
    start_date: iso(length === 1 ? start - hourMs : start),
    end_date: iso(end),
    days: length,
    words: length === 1 ? '1 day' : `${length} days`,
    preset: length,
    chosen: undefined,
    problem: rangeWrong ?? (days == null || preset !== undefined ? undefined : `Choose ${presetList} days.`),
  }
}

/** A calendar month in UTC; the current one ends with the current hour. */
function monthOf(preset: (typeof presetMonths)[number], now: number, end: number): Omit<Period, 'problem'> {
  const date = new Date(now)
  const startOf = (month: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + month)
  const [from, to] = preset === 'this-month' ? [startOf(0), end] : [startOf(-1), startOf(0)]
  return {
    start_date: iso(from),
    end_date: iso(to),
    days: Math.ceil((to - from) / dayMs),
    words: presetName(preset).toLowerCase(),
    preset,
    chosen: undefined,
  }
}

const presetList = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(presetDays.map(String))

/** Returns what is wrong with a range of days, or undefined. */
export function rangeProblem(from: string, to: string): string | undefined {
  const [first, last] = [dayOf(from), dayOf(to)]
  if (first === undefined || last === undefined) return 'Enter a start date and an end date.'
  if (first > last) return 'The start date is after the end date.'
  return last - first < maxDays * dayMs ? undefined : `Choose at most ${maxDays} days.`
}

/** Names the year once if it is not the current one, and on both days if they are in different years. */
function daysText(first: number, last: number, now: number): string {
  const year = (time: number) => new Date(time).getUTCFullYear()
  const isOneYear = year(first) === year(last)
  const end = isOneYear && year(last) === year(now) ? dayShort(iso(last)) : day(iso(last))
  if (first === last) return end
  return `${isOneYear ? dayShort(iso(first)) : day(iso(first))} to ${end}`
}

/** Names a preset: Last day, Last 14 days, This month */
export function presetName(preset: Preset): string {
  if (preset === 'this-month') return 'This month'
  if (preset === 'last-month') return 'Last month'
  return preset === 1 ? 'Last day' : `Last ${preset} days`
}

/** Returns the parameters of a preset; the default needs none. */
export const presetParams = (preset: Preset) => ({
  days: preset === usualDays ? undefined : String(preset),
  from: undefined,
  to: undefined,
})

/** Shows the days from one time to another; the way back is that of the browser. */
export function zoomTo(from: number, to: number): void {
  setParams({ days: undefined, from: iso(from).slice(0, 10), to: iso(to).slice(0, 10) }, 'push')
}

/** Returns the preceding period of the same length. */
export function periodBefore({
  start_date,
  end_date,
}: Pick<Period, 'start_date' | 'end_date'>): Pick<Period, 'start_date' | 'end_date'> {
  const start = Date.parse(start_date)
  return { start_date: iso(2 * start - Date.parse(end_date)), end_date: start_date }
}

/** Returns the cluster to which pages are limited, or undefined for all. */
export function useCluster(): string | undefined {
  return usePlace().params.get('cluster') ?? undefined
}

const kept = ['days', 'from', 'to', 'cluster']

/** Keeps the choices of the bar when the user goes to another page. */
export const barParams = (params: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...params].filter(([name]) => kept.includes(name)))

function dayOf(text: string | null | undefined): number | undefined {
  if (text == null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  // Date.parse reads 31 February as a day of March.
  return Number.isNaN(time) || iso(time).slice(0, text.length) !== text ? undefined : time
}

const iso = (time: number): string => new Date(time).toISOString()
