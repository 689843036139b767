import { round } from '../../domain/money.ts'

/** 1234.5 -> $1,234.50; 146.755 -> $146.76, although the nearest double is below it */
export function dollars(amount: number): string {
  const [whole = '0', cents = '00'] = round(Math.abs(amount), 2).toFixed(2).split('.')
  const sign = amount < 0 && Number(`${whole}.${cents}`) > 0 ? '-' : ''
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** +$12.00, -$3.50, $0.00 */
export function difference(amount: number): string {
  const text = dollars(amount)
  return text.startsWith('-') || text === '$0.00' ? text : `+${text}`
}

/** Prices per hour are small, so they have six decimals, as in the API. */
export const hourly = (amount: number): string => `$${amount.toFixed(6)}`

export const formatPercent = (share: number): string => `${share.toFixed(1)}%`

/** 4 -> 4, 3.75 -> 3.75 */
export const size = (amount: number): string => String(Number(amount.toFixed(3)))

/** 1 -> 1 core, 1.5 -> 1.5 cores */
export const coreCount = (amount: number): string =>
  `${size(amount)} ${size(amount) === '1' ? 'core' : 'cores'}`

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Names come from files and callers. Control characters, which a terminal would execute, are replaced by U+FFFD. */
export const printable = (name: string): string => name.replace(/\p{Cc}/gu, '\ufffd')
