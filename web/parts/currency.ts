import { Signal } from '../state/signal.ts'

/** The currency in which amounts are shown. They are stored and sent in US dollars. */
export interface Currency {
  readonly code: string
  /** US dollars per unit of the currency. */
  readonly rate: number
  /** The day of the rate; absent for US dollars. */
  readonly day?: string
}

export const usDollars: Currency = { code: 'USD', rate: 1 }
export const currency = new Signal<Currency>(usDollars)

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** Returns a name such as "US dollars" or "euro". */
export const currencyName = (code: string): string =>
  code === usDollars.code ? 'US dollars' : (names.of(code)?.toLowerCase() ?? code)

/** Convert an amount between US dollars and the selected currency. */
export const toCurrency = (usd: number): number => usd / currency.get().rate
export const toUsDollars = (amount: number): number => amount * currency.get().rate

const formats = new Map<string, Intl.NumberFormat>()

/** Formats an amount in US dollars in the selected currency. */
export function writeAmount(usd: number, decimals: number, minDecimals = decimals): string {
  const { code } = currency.get()
  const key = `${code} ${minDecimals} ${decimals}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
      // A negative amount that is rounded to zero has no sign.
      signDisplay: 'negative',
      minimumFractionDigits: Math.min(decimals, minDecimals),
      maximumFractionDigits: decimals,
    })
  formats.set(key, format)
  return format.format(toCurrency(usd))
}
