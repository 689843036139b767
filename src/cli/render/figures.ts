import { dollars } from '../../domain/money.ts'

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

/**
 * Names come from files and callers. Control characters, which a terminal would execute, and
 * those that reverse the direction of text are replaced by U+FFFD.
 */
export const printable = (name: string): string => name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd')
