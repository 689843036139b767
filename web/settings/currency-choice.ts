import type { paths } from '../api/schema.ts'
import { type Currency, currency, usDollars } from '../parts/currency.ts'

export type Exchange = paths['/catalogue']['get']['responses'][200]['content']['application/json']['exchange']

const place = 'cheapside-currency'

/** Parses the currency that this browser has stored. Falls back to US dollars if there is none or it is invalid. */
export function currencyOf(stored: string | null): Currency {
  try {
    const { code, rate, day } = JSON.parse(stored ?? '')
    const isRate = typeof rate === 'number' && Number.isFinite(rate) && rate > 0
    return /^[A-Z]{3}$/.test(code) && isRate && typeof day === 'string' ? { code, rate, day } : usDollars
  } catch {
    return usDollars
  }
}

/** Restores the currency of the last visit, and stores changes. */
export function rememberCurrency(): void {
  currency.set(currencyOf(localStorage.getItem(place)))
  currency.follow(() => localStorage.setItem(place, JSON.stringify(currency.get())))
}

/** Returns the currency for which the catalogue has an exchange rate. */
export const offeredCurrency = (exchange: Exchange): Currency | undefined =>
  exchange?.to === usDollars.code && exchange.rate > 0
    ? { code: exchange.from, rate: exchange.rate, day: exchange.day }
    : undefined

/** The rate of a newer catalogue replaces the stored one. A rate that no longer exists is not used any more. */
export function renewedCurrency(shown: Currency, exchange: Exchange): Currency {
  if (shown.code === usDollars.code) return shown
  const other = offeredCurrency(exchange)
  if (other?.code !== shown.code) return usDollars
  return other.rate === shown.rate && other.day === shown.day ? shown : other
}
