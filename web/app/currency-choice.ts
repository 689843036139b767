import { type Currency, currency, usDollars } from '../parts/currency.ts'

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
