export const hoursPerMonth = 730
export const monthsPerYear = 12

/** What a core and a GiB cost per hour if no better price is known. */
export const baseRates = { corePerHourUsd: 0.031611, gibPerHourUsd: 0.004237 } as const

/** The same for a GiB of a disk. opencost/opencost configs/default.json */
export const baseDiskGibPerHourUsd = 0.00005479452

/** Powers of ten, computed once: raising ten to a power takes longer than all the rest of rounding. */
const scales = Array.from({ length: 16 }, (_, digits) => 10 ** digits)

/** Half away from zero on the digits a reader sees: 1.0005 -> 1.001 at three digits, although the double lies below it. */
export function round(value: number, digits: number): number {
  const scale = scales[digits]!
  const rounded = roundToUnits(Math.abs(value), scale) / scale
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Rounds a non-negative value to whole units, of which `scale` make one: 0.0625 in thousandths -> 63 */
export function roundToUnits(value: number, scale: number): number {
  const scaled = value * scale
  return Math.floor(scaled + 0.5 + scaled * Number.EPSILON * 4)
}

/** Hourly prices that differ by more are not equal. */
export const maxRounding = 1e-6

export const roundHourly = (usd: number): number => round(usd, 6)
export const roundSum = (usd: number): number => round(usd, 3)

/** Returns the cost of a number of hours. The monthly cap applies to any number of hours. */
export function monthUsd(
  pricePerHourUsd: number,
  monthlyCapUsd: number | null,
  hours: number = hoursPerMonth,
): number {
  const uncapped = pricePerHourUsd * hours
  return monthlyCapUsd === null ? uncapped : Math.min(uncapped, monthlyCapUsd)
}

/**
 * Returns savings as a percentage of what a month costs now. It differs from the percentage of the hourly price if one
 * of the machines has a monthly cap or a discount for sustained use.
 */
export function savedPercentOfMonth(offer: {
  readonly cost_per_month: number
  readonly savings: { readonly amount_per_month: number }
}): number {
  const saved = offer.savings.amount_per_month
  return (100 * saved) / (offer.cost_per_month + saved)
}

/** 1234.5 -> $1,234.50; 146.755 -> $146.76, although the nearest double is below it */
export function dollars(amount: number): string {
  const [whole = '0', cents = '00'] = round(Math.abs(amount), 2).toFixed(2).split('.')
  const sign = amount < 0 && Number(`${whole}.${cents}`) > 0 ? '-' : ''
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}
