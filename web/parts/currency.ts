import { Signal } from '../app/signal.ts'

/** What amounts are shown in. They are stored, sent and exported in US dollars. */
export interface Currency {
  readonly code: string
  /** US dollars for one of it. */
  readonly rate: number
  /** The day of the rate; US dollars need none. */
  readonly day?: string
}

export const usDollars: Currency = { code: 'USD', rate: 1 }
export const currency = new Signal<Currency>(usDollars)

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** US dollars, euro */
export const currencyName = (code: string): string =>
  code === usDollars.code ? 'US dollars' : (names.of(code)?.toLowerCase() ?? code)

/** An amount in US dollars as one in the currency of choice, and back. */
export const toCurrency = (usd: number): number => usd / currency.get().rate
export const toUsDollars = (amount: number): number => amount * currency.get().rate

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in US dollars, written in the currency of choice. */
export function writeAmount(usd: number, decimals: number, leastDecimals = decimals): string {
  const { code } = currency.get()
  const key = `${code} ${leastDecimals} ${decimals}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
      minimumFractionDigits: Math.min(decimals, leastDecimals),
      maximumFractionDigits: decimals,
    })
  formats.set(key, format)
  return format.format(toCurrency(usd))
}
