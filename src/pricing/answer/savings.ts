import { monthsPerYear, monthUsd, round, roundToUnits } from '../../domain/money.ts'
import type { Savings } from './schema.ts'

export interface Price {
  readonly pricePerHourUsd: number
  readonly monthlyCapUsd: number | null
}

export const noSavings: Savings = {
  percentage: 0,
  amount_per_hour: 0,
  amount_per_month: 0,
  amount_per_year: 0,
}

/**
 * Returns what moving from one price to another saves. Returns null if it does not save both by the hour and by the
 * month, if both amounts are zero when rounded, or if either price is not valid.
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

/** Indexes of the numbers of putSavings(). */
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
 * Like savingsBetween, but in an array, without an object for each of sixty offers: whole millionths for the hour, whole
 * thousandths for the others. Returns false if nothing is saved. A monthly price of NaN saves nothing.
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
  // 0.1 -> 0.0999999999 would be shown as savings of zero.
  return amounts[perHour] > 0 || amounts[perMonth] > 0
}

const thousand = 1e3
const million = 1e6

export const monthlyPrice = (price: Price): number => monthUsd(price.pricePerHourUsd, price.monthlyCapUsd)

export function monthlyPriceOrNaN(price: Price): number {
  const { pricePerHourUsd, monthlyCapUsd } = price
  const isPrice =
    Number.isFinite(pricePerHourUsd) && pricePerHourUsd >= 0 && (monthlyCapUsd === null || monthlyCapUsd >= 0)
  return isPrice ? monthlyPrice(price) : Number.NaN
}

/** Removes the error of binary subtraction: 0.3 - 0.1 -> 0.2, so that a half is rounded as a half. */
const exact = (usd: number): number => round(usd, 11)
