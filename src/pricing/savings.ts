import { monthsPerYear, monthUsd, round, roundToUnits } from '../domain/money.ts'

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
  const amounts = new Float64Array(amountCount)
  amounts[currentHour] = current.pricePerHourUsd
  amounts[currentMonth] = monthlyPriceOrNaN(current)
  amounts[candidateHour] = candidate.pricePerHourUsd
  amounts[candidateMonth] = monthlyPriceOrNaN(candidate)
  if (!putSavings(amounts)) return null
  return {
    percentage: amounts[percentage]! / thousand,
    amount_per_hour: amounts[perHour]! / million,
    amount_per_month: amounts[perMonth]! / thousand,
    amount_per_year: amounts[perYear]! / thousand,
  }
}

/** Where the numbers of putSavings() are. */
export const percentage = 0
export const perHour = 1
export const perMonth = 2
export const perYear = 3
export const currentHour = 4
export const currentMonth = 5
export const candidateHour = 6
export const candidateMonth = 7
export const amountCount = 8

/**
 * The same in numbers, without an object for each of sixty offers: whole millionths an hour, thousandths else. False where
 * nothing is saved; a month that is NaN saves nothing.
 */
export function putSavings(amounts: Float64Array): boolean {
  const hour = exact(amounts[currentHour]! - amounts[candidateHour]!)
  const month = exact(amounts[currentMonth]! - amounts[candidateMonth]!)
  if (!(hour > 0 && month > 0)) return false
  // 0.073981 -> 0.0625: 15.519 percent, 0.011481 an hour, 8.381 a month, 100.574 a year
  amounts[percentage] = roundToUnits((100 * hour) / amounts[currentHour]!, thousand)
  amounts[perHour] = roundToUnits(hour, million)
  amounts[perMonth] = roundToUnits(month, thousand)
  amounts[perYear] = roundToUnits(month * monthsPerYear, thousand)
  // 0.1 -> 0.0999999999 would be shown as a saving of nothing.
  return amounts[perHour] > 0 || amounts[perMonth] > 0
}

const thousand = 1e3
const million = 1e6

export const monthlyPrice = (price: Price): number => monthUsd(price.pricePerHourUsd, price.monthlyCapUsd)

/** NaN where the price is none. */
export function monthlyPriceOrNaN(price: Price): number {
  const { pricePerHourUsd, monthlyCapUsd } = price
  const isPrice =
    Number.isFinite(pricePerHourUsd) && pricePerHourUsd >= 0 && (monthlyCapUsd === null || monthlyCapUsd >= 0)
  return isPrice ? monthlyPrice(price) : Number.NaN
}

/** Takes away what binary subtraction adds: 0.3 - 0.1 -> 0.2, so that a half is seen as a half. */
const exact = (usd: number): number => round(usd, 11)
