import { type Currency, currency, usDollars } from '../parts/currency.ts'

const place = 'cheapside-currency'

/** Kept in this browser; US dollars where nothing is, or nothing that can be read. */
export function currencyOf(stored: string | null): Currency {
  try {
    const { code, rate, day } = JSON.parse(stored ?? '')
    const isRate = typeof rate === 'number' && Number.isFinite(rate) && rate > 0
    return /^[A-Z]{3}$/.test(code) && isRate && typeof day === 'string' ? { code, rate, day } : usDollars
  } catch {
    return usDollars
  }
}

/** Shows amounts as they were shown last, and remembers a change. */
export function rememberCurrency(): void {
  currency.set(currencyOf(localStorage.getItem(place)))
  currency.follow(() => localStorage.setItem(place, JSON.stringify(currency.get())))
}
