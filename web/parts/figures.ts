import { toUsDollars, writeAmount } from './currency.ts'

const locale = 'en-US'
const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)

const whole = number({ maximumFractionDigits: 0 })
const some = number({ maximumFractionDigits: 2 })
const tenths = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
const unknown = '–'

type Figure = number | null | undefined
const isKnown = (value: Figure): value is number =>
  value !== null && value !== undefined && Number.isFinite(value)

/** 12,345 */
export const count = (value: Figure): string => (isKnown(value) ? whole.format(value) : unknown)

/** 1 container, 2 containers */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** $1,234.50; from ten thousand on without cents. An amount in US dollars, shown in the currency of choice. */
export const money = (value: Figure): string =>
  isKnown(value) ? writeAmount(value, Math.abs(value) >= 10_000 ? 0 : 2) : unknown

/** $12.5: an amount in the currency of choice, as short as it can be, for axes. */
export const axisAmount = (amount: number): string =>
  writeAmount(toUsDollars(Number(amount.toPrecision(4))), 6, 0)

/** $0.1920: prices by the hour need more digits than a purse. */
export const hourly = (value: Figure): string =>
  isKnown(value) ? writeAmount(value, decimalsOf(Math.abs(value)), 4) : unknown

/** All with as many decimals as the dearest of them needs, and one more, so that a column of prices stands in line. */
export function hourlyColumn(dearest: number): (value: Figure) => string {
  const decimals = decimalsOf(dearest) + 1
  return (value) => (isKnown(value) ? writeAmount(value, decimals) : unknown)
}

/** 4 cores */
export const cores = (value: Figure): string =>
  isKnown(value) ? `${small(value)} ${small(value) === '1' ? 'core' : 'cores'}` : unknown

/** 16 GiB; below one in MiB. */
export function gib(value: Figure): string {
  if (!isKnown(value)) return unknown
  return value !== 0 && Math.abs(value) < 1
    ? `${whole.format(value * 1024)} MiB`
    : `${some.format(value)} GiB`
}

/** 15.5%, always with one decimal, so that columns stand in line. */
export const percent = (value: Figure): string => (isKnown(value) ? `${tenths.format(value)}%` : unknown)

/** 38%, of a share between 0 and 1. */
export const share = (value: Figure): string => (isKnown(value) ? `${whole.format(100 * value)}%` : unknown)

/** 0.53–1.54 cores: the unit once where both have the same. */
export function range(say: (value: Figure) => string, from: Figure, to: Figure): string {
  const [low, high] = [say(from), say(to)]
  const [, amount, unit] = /^(\S+) (\S+)$/.exec(low) ?? []
  return unit !== undefined && high.endsWith(` ${unit}`) ? `${amount}–${high}` : `${low}–${high}`
}

/** Three decimals where a value is small: 0.125. */
export function small(value: Figure): string {
  if (!isKnown(value)) return unknown
  return number({ maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2 }).format(value)
}

const decimalsOf = (dollars: number): number =>
  dollars >= 10 ? 2 : dollars >= 1 ? 3 : dollars >= 0.01 || dollars === 0 ? 4 : 6

/** 15 Nov 2026 */
export const day = (text: string | null | undefined): string =>
  text
    ? new Date(text).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })
    : unknown

/** 15 Nov */
export const dayShort = (text: string): string =>
  new Date(text).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** 15 Nov 2026, 04:10 UTC */
export const moment = (text: string | null | undefined): string =>
  text
    ? `${new Date(text).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC`
    : unknown

/** 04:10:09 */
export const clock = (time: Date): string => time.toLocaleTimeString('en-GB')

/** 3 days ago; months up to two years, as "last year" may be any time. */
export function ago(text: string | null | undefined, now: number): string {
  if (!text) return 'never'
  const seconds = (new Date(text).getTime() - now) / 1000
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ]
  const least = (unit: string, size: number) => (unit === 'year' ? 2 * size : size)
  const [unit, size] = units.find((of) => Math.abs(seconds) >= least(...of)) ?? ['second', 1]
  const numeric = unit === 'day' ? 'auto' : 'always'
  return new Intl.RelativeTimeFormat('en', { numeric }).format(Math.round(seconds / size), unit)
}
