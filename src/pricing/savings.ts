import { monthsPerYear, monthUsd, round, roundHourly, roundSum } from '../domain/money.ts'

/** What a price costs by the hour, and at most by the month. */
export interface Price {
  readonly pricePerHourUsd: number
  readonly monthlyCapUsd: number | null
}

export interface Savings {
  readonly percentage: number
  readonly amount_per_hour: number
  readonly amount_per_month: number
  readonly amount_per_year: number
}

export const noSavings: Savings = {
  percentage: 0,
  amount_per_hour: 0,
  amount_per_month: 0,
  amount_per_year: 0,
}

/**
 * What moving from one price to another saves; null where it does not save both by the hour and by the month,
 * where both are nothing once rounded, or where either price is not one.
 */
export function savingsBetween(current: Price, candidate: Price): Savings | null {
  if (!putSavings(amounts, current, candidate)) return null
  const [percentage, perHour, perMonth, perYear] = amounts as unknown as [number, number, number, number]
  return {
    percentage,
    amount_per_hour: perHour,
    amount_per_month: perMonth,
    amount_per_year: perYear,
  }
}

const amounts = new Float64Array(4)

/** The same as four numbers, without an object for each of sixty offers; false where there are none. */
export function putSavings(into: Float64Array, current: Price, candidate: Price): boolean {
  if (!isPrice(current) || !isPrice(candidate)) return false
  const perHour = exact(current.pricePerHourUsd - candidate.pricePerHourUsd)
  const perMonth = exact(monthOf(current) - monthOf(candidate))
  if (perHour <= 0 || perMonth <= 0) return false
  // 0.073981 -> 0.0625: 15.519 percent, 0.011481 an hour, 8.381 a month, 100.574 a year
  into[0] = roundSum((100 * perHour) / current.pricePerHourUsd)
  into[1] = roundHourly(perHour)
  into[2] = roundSum(perMonth)
  into[3] = roundSum(perMonth * monthsPerYear)
  // 0.1 -> 0.0999999999 would be shown as a saving of nothing.
  return into[1] > 0 || into[2] > 0
}

export const monthOf = (price: Price): number => monthUsd(price.pricePerHourUsd, price.monthlyCapUsd)

function isPrice({ pricePerHourUsd, monthlyCapUsd }: Price): boolean {
  return (
    Number.isFinite(pricePerHourUsd) && pricePerHourUsd >= 0 && (monthlyCapUsd === null || monthlyCapUsd >= 0)
  )
}

/** Takes away what binary subtraction adds: 0.3 - 0.1 -> 0.2, so that a half is seen as a half. */
const exact = (usd: number): number => round(usd, 11)
