import { useMemo } from 'react'
import { day, dayShort } from '../parts/figures.ts'
import { usePlace } from '../state/router.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const usualDays = 14
const maxDays = 400

/** Days up to now that the bar offers. */
export const presetDays = [1, 7, 14, 30, 90] as const

export interface Period {
  readonly start_date: string
  readonly end_date: string
  readonly days: number
  /** "14 days", "1 Nov to 14 Nov", or "1 Nov to 14 Nov 2025". */
  readonly words: string
  /** The first and the last day if the user chose them. */
  readonly chosen: { readonly from: string; readonly to: string } | undefined
  /** Why the period in the address is not shown. */
  readonly problem: string | undefined
}

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
      chosen: { from: from!, to: to! },
      problem: undefined,
    }
  }
  const isPreset = presetDays.includes(Number(days) as never)
  const length = isPreset ? Number(days) : usualDays
  // The period ends with the current hour, so that queries stay the same until the next one.
  const end = (Math.floor(now / hourMs) + 1) * hourMs
  // Machines are compared after 24 measured hours, and the current hour is not over, so one day begins an hour earlier.
  // Longer periods do not, because the service precomputes them.
  const start = end - length * dayMs
  return {
    start_date: iso(length === 1 ? start - hourMs : start),
    end_date: iso(end),
    days: length,
    words: presetWords(length),
    chosen: undefined,
    problem: rangeWrong ?? (days == null || isPreset ? undefined : `Choose ${presetList} days.`),
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

/** Names a preset: Last day, Last 14 days */
export const lastDays = (days: number): string => (days === 1 ? 'Last day' : `Last ${days} days`)

/** Returns the parameters of a preset; the default needs none. */
export const presetParams = (days: number) => ({
  days: days === usualDays ? undefined : String(days),
  from: undefined,
  to: undefined,
})

const presetWords = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

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
