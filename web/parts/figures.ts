import { textInCurrency } from '../../src/domain/currency.ts'
import { cpuQuantity, memoryQuantity } from '../../src/domain/quantity.ts'
import { currency, toCurrency, toUsDollars, usDollars, writeAmount } from './currency.ts'

const locale = 'en-US'
/** A negative number that is rounded to zero has no sign. */
const number = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options })

const whole = number({ maximumFractionDigits: 0 })
const some = number({ maximumFractionDigits: 2 })
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
const tenths = number(oneDecimal)
const signedTenths = number({ ...oneDecimal, signDisplay: 'exceptZero' })
const unknown = '–'

type Figure = number | null | undefined
const isKnown = (value: Figure): value is number =>
  value !== null && value !== undefined && Number.isFinite(value)

/** Formats a count: 12,345 */
export const count = (value: Figure): string => (isKnown(value) ? whole.format(value) : unknown)

/** Formats a count with its noun: 1 container, 2 containers */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** Formats an amount in US dollars in the selected currency: $1,234.50, and without cents from ten thousand on. */
export const money = (value: Figure): string =>
  isKnown(value) ? writeAmount(value, moneyDecimals(value)) : unknown

const moneyDecimals = (value: number): number => (Math.abs(value) >= 10_000 ? 0 : 2)

/** Formats the parts of a total with its decimals. The largest takes what rounding leaves, so that they add up to the total as shown. */
export function moneyOfParts(total: number, parts: readonly number[]): string[] {
  const decimals = moneyDecimals(total)
  const toUnits = (usd: number): number => Math.round(toCurrency(usd) * 10 ** decimals)
  const units = parts.map(toUnits)
  const rest = toUnits(total) - units.reduce((sum, part) => sum + part, 0)
  const largest = units.indexOf(Math.max(...units))
  return units.map((part, i) =>
    writeAmount(toUsDollars((part + (i === largest ? rest : 0)) / 10 ** decimals), decimals),
  )
}

/** Writes the amounts in a text of the service in the selected currency. */
export function textWithAmounts(text: string): string {
  const { code, rate, day = '' } = currency.get()
  return code === usDollars.code ? text : textInCurrency(text, { code, usdPerUnit: rate, day })
}

/** Formats an amount in the selected currency as short as possible, for axes: $12.5 */
export const axisAmount = (amount: number): string =>
  writeAmount(toUsDollars(Number(amount.toPrecision(4))), 6, 0)

/** Formats an hourly price, which needs more digits than other amounts: $0.1920 */
export const hourly = (value: Figure): string =>
  isKnown(value) ? writeAmount(value, decimalsOf(Math.abs(value)), 4) : unknown

/** Formats a number of cores: 4 cores */
export const cores = (value: Figure): string =>
  isKnown(value) ? `${small(value)} ${small(value) === '1' ? 'core' : 'cores'}` : unknown

/** Formats a request or limit of CPU as in a manifest: 390m. Whole cores have a unit. */
export function cpuRequest(value: Figure): string {
  if (!isKnown(value)) return unknown
  const quantity = cpuQuantity(value)
  return quantity.endsWith('m') ? quantity : cores(value)
}

/** Formats a request or limit of memory as in a manifest: 853Mi */
export const memoryRequest = (value: Figure): string => (isKnown(value) ? memoryQuantity(value) : unknown)

/** Formats memory: 16 GiB, and below one GiB in MiB. */
export function gib(value: Figure): string {
  if (!isKnown(value)) return unknown
  return value !== 0 && Math.abs(value) < 1
    ? `${whole.format(value * 1024)} MiB`
    : `${some.format(value)} GiB`
}

/** Formats a percentage with exactly one decimal, so that columns align: 15.5% */
export const percent = (value: Figure): string => (isKnown(value) ? `${tenths.format(value)}%` : unknown)

/** Formats a change: +3.1%, -0.4%, 0.0% */
export const signedPercent = (value: number): string => `${signedTenths.format(value)}%`

/** Formats a share between 0 and 1: 38% */
export const share = (value: Figure): string => (isKnown(value) ? `${whole.format(100 * value)}%` : unknown)

/** Formats a range: 0.53–1.54 cores. The unit is written once if both values have the same. */
export function range(say: (value: Figure) => string, from: Figure, to: Figure): string {
  const [low, high] = [say(from), say(to)]
  const [, amount, unit] = /^(\S+) (\S+)$/.exec(low) ?? []
  return unit !== undefined && high.endsWith(` ${unit}`) ? `${amount}–${high}` : `${low}–${high}`
}

/** Formats a number, with three decimals if it is small: 0.125 */
export function small(value: Figure): string {
  if (!isKnown(value)) return unknown
  return number({ maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2 }).format(value)
}

const decimalsOf = (dollars: number): number =>
  dollars >= 10 ? 2 : dollars >= 1 ? 3 : dollars >= 0.01 || dollars === 0 ? 4 : 6

/** Formats a day: 15 Nov 2026 */
export const day = (text: string | null | undefined): string =>
  text
    ? new Date(text).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })
    : unknown

/** Formats a day without the year: 15 Nov */
export const dayShort = (text: string): string =>
  new Date(text).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats a month: 2026-11 -> Nov 2026 */
export const monthName = (month: string): string =>
  new Date(`${month}-01`).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats a time in UTC: 15 Nov 2026, 04:10 UTC */
export const moment = (text: string | null | undefined): string =>
  text
    ? `${new Date(text).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC`
    : unknown

/** Formats an age: 3 days ago. Months are used up to two years, because "last year" is imprecise. */
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
