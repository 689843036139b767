import { round } from '../domain/money.ts'

/** 24.254 -> $24.25, -3.5 -> -$3.50 */
export function usdText(amount: number): string {
  const rounded = round(amount, 2)
  return `${rounded < 0 ? '-' : ''}$${Math.abs(rounded).toFixed(2)}`
}

/** 1 -> 1 recommendation, 2 -> 2 recommendations */
export const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
