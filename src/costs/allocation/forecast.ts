/** The cost of one whole day, in US dollars. Days are counted since 1970. */
export interface DayCost {
  readonly day: number
  readonly usd: number
}

export interface Forecast {
  readonly usd: number
  /** Half the width of the band that holds it in four of five cases. */
  readonly spreadUsd: number
  /** Whether weekdays differ in it; otherwise all days are alike. */
  readonly hasWeekdays: boolean
}

/** With fewer whole days there is no forecast, and with fewer than twice as many no weekday is known twice. */
export const minForecastDays = 7
const weekdayDays = 14
/** A day counts half as much as one four days later. */
const halfLifeDays = 4
/** Weekdays seen often count for what they are, and those seen seldom less. */
const shrinkage = 0.5
/**
 * Four of five cases are within so many standard deviations, if these are estimated with so many degrees of freedom:
 * approximates Student's t. 6 -> 1.43 (1.44), many -> 1.28.
 */
const deviations = (freedom: number): number => 1.28 * (1 + 0.72 / freedom)

/**
 * Forecasts the cost of days [from, to) from whole days before: a level in which recent days count more, times the pattern of
 * weekdays. The band grows with the number of days, by the scatter of days, by how well it shows the level, and by how much the
 * level moved. Undefined if there are too few days.
 */
export function forecastCost(history: readonly DayCost[], from: number, to: number): Forecast | undefined {
  if (history.length < minForecastDays) return undefined
  const hasWeekdays = history.length >= weekdayDays
  const factors = hasWeekdays ? weekdayFactors(history) : Array.from({ length: 7 }, () => 1)
  const factorOf = (day: number): number => factors[day % 7]!
  const alike = history.map(({ day, usd }) => ({ day, usd: usd / factorOf(day) }))
  const { level, share } = levelOf(alike, from)
  let usd = 0
  for (let day = from; day < to; day++) usd += level * factorOf(day)
  const errors = history.map((each) => each.usd - level * factorOf(each.day))
  const weeks = history.length / 7
  const freedom = history.length - 1 - (hasWeekdays ? (6 * weeks) / (weeks + shrinkage) : 0)
  const scatter = errors.reduce((sum, error) => sum + error ** 2, 0) / freedom
  const days = Math.max(0, to - from)
  const variance = scatter * days * (1 + days * share) + (driftOf(alike, level) * days ** 3) / 3
  return { usd, spreadUsd: deviations(freedom) * Math.sqrt(variance), hasWeekdays }
}

function weekdayFactors(history: readonly DayCost[]): number[] {
  const mean = history.reduce((sum, { usd }) => sum + usd, 0) / history.length
  const factors = Array.from({ length: 7 }, (_, weekday) => {
    const own = history.filter(({ day }) => day % 7 === weekday)
    if (mean === 0 || own.length === 0) return 1
    const ratio = own.reduce((sum, { usd }) => sum + usd, 0) / own.length / mean
    return (ratio * own.length + shrinkage) / (own.length + shrinkage)
  })
  const sum = factors.reduce((all, factor) => all + factor, 0)
  // A weekday that costs nothing would divide by zero.
  return factors.map((factor) => Math.max(0.01, (factor * 7) / sum))
}

/** The variance of the level is this share of that of a day. */
function levelOf(days: readonly DayCost[], at: number): { level: number; share: number } {
  let [sum, weights, squares] = [0, 0, 0]
  for (const { day, usd } of days) {
    const weight = 0.5 ** ((at - day) / halfLifeDays)
    sum += weight * usd
    weights += weight
    squares += weight ** 2
  }
  return { level: sum / weights, share: squares / weights ** 2 }
}

/**
 * The variance by which the level moves in a day, from the means of blocks of days; a few blocks show little, so that a usual
 * movement counts as one more.
 */
function driftOf(history: readonly DayCost[], level: number): number {
  const last = history.at(-1)!.day
  const blocks = Map.groupBy(history, ({ day }) => Math.floor((last - day) / blockDays))
  const means = [...blocks.values()]
    .filter((days) => days.length === blockDays)
    .map((days) => days.reduce((sum, { usd }) => sum + usd, 0) / blockDays)
  const steps = means.slice(1).map((mean, index) => mean - means[index]!)
  const usual = (usualDrift * level) ** 2 * blockDays
  return steps.reduce((sum, step) => sum + step ** 2, usual) / (steps.length + 1) / blockDays
}

const blockDays = 3
/** Share by which the level of a cluster moves in a day. */
const usualDrift = 0.08
