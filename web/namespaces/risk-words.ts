import { Refused } from '../api/problem.ts'

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** Formats a share: 0.0025 -> 0.25% */
export const riskText = (share: number): string =>
  Number.isNaN(share) ? '?' : `${digits.format(100 * share)}%`

/** Converts a share to percent: 0.007 -> 0.7, without the rounding error of 100 * 0.007. */
export const inPercent = (share: number): number => tidy(share * 100)
export const shareOf = (percent: number): number => tidy(percent / 100)

const tidy = (value: number): number => Number(value.toPrecision(12))

/** Returns why the service refuses a risk; undefined if it refuses something else. */
export function riskRefused(error: unknown): string | undefined {
  const { errors = [] } = error instanceof Refused ? error.problem : {}
  return errors.find(({ pointer }) => pointer === '?risk')?.message
}
