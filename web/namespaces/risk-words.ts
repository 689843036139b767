import { Refused } from '../api/problem.ts'

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** 0.0025 -> 0.25% */
export const riskSaid = (share: number): string =>
  Number.isNaN(share) ? '?' : `${digits.format(100 * share)}%`

/** 0.007 -> 0.7, without the tail of 100 * 0.007 */
export const inPercent = (share: number): number => tidy(share * 100)
export const shareOf = (percent: number): number => tidy(percent / 100)

const tidy = (value: number): number => Number(value.toPrecision(12))

/** What the service has against a risk; undefined where that is not what it refuses. */
export function riskRefused(error: unknown): string | undefined {
  const { errors = [] } = error instanceof Refused ? error.problem : {}
  return errors.find(({ pointer }) => pointer === '?risk')?.message
}
