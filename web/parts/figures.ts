const locale = 'en-US'
const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)

const whole = number({ maximumFractionDigits: 0 })
const some = number({ maximumFractionDigits: 2 })
const cents = number({ style: 'currency', currency: 'USD' })
const dollars = number({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const unknown = '–'

type Figure = number | null | undefined
const isKnown = (value: Figure): value is number =>
  value !== null && value !== undefined && Number.isFinite(value)

/** 12,345 */
export const count = (value: Figure): string => (isKnown(value) ? whole.format(value) : unknown)

/** $1,234.50; from ten thousand on without cents. */
export const money = (value: Figure): string =>
  isKnown(value) ? (Math.abs(value) >= 10_000 ? dollars : cents).format(value) : unknown

/** $0.1920: prices by the hour need more digits than a purse. */
export function hourly(value: Figure): string {
  if (!isKnown(value)) return unknown
  return Math.abs(value) >= 10 ? cents.format(value) : fourDigits(value)
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

/** 15.5% */
export const percent = (value: Figure): string =>
  isKnown(value) ? `${number({ maximumFractionDigits: 1 }).format(value)}%` : unknown

/** Three decimals where a value is small: 0.125. */
export function small(value: Figure): string {
  if (!isKnown(value)) return unknown
  return number({ maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2 }).format(value)
}

function fourDigits(value: number): string {
  return Math.abs(value) >= 1 ? number({ ...moneyOf, maximumFractionDigits: 3 }).format(value) : below(value)
}

const moneyOf = { style: 'currency', currency: 'USD', minimumFractionDigits: 2 } as const
const below = (value: number): string =>
  number({
    ...moneyOf,
    minimumFractionDigits: 4,
    maximumFractionDigits: Math.abs(value) < 0.01 ? 6 : 4,
  }).format(value)

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

/** 15 Nov 2026, 04:10 UTC */
export const moment = (text: string | null | undefined): string =>
  text
    ? `${new Date(text).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC`
    : unknown

/** 3 days ago */
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
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}
