import { type Day, summaryOf } from './day.ts'
import type { ResourceHistory } from './history.ts'
import { type MergedRun, mergeRuns } from './runs.ts'

/** Oldest first; a day without samples is null. Day d of a series is decided from days 0 to d - 1. */
export interface DailyUsage {
  readonly days: readonly (Day | null)[]
  /** All buckets of all days, least value first. */
  readonly values: Float64Array
  readonly weights: Float64Array
  readonly dayOf: Int32Array
}

export function dailyUsage(history: ResourceHistory, endHour: number): DailyUsage {
  const spans = history.peaks.length
  if (spans === 0) return { days: [], values: empty, weights: empty, dayOf: new Int32Array() }
  // A span belongs to the day its middle lies in: days as the calendar has them seldom end when the history does.
  const middleOf = (span: number): number => (history.startHours[span]! + history.endHours[span]!) / 2
  const count = Math.max(0, Math.ceil((endHour - middleOf(0)) / 24))
  const firstHour = endHour - count * 24
  const spansOf: number[][] = Array.from({ length: count }, () => [])
  for (let i = 0; i < spans; i++) spansOf[Math.floor((middleOf(i) - firstHour) / 24)]?.push(i)
  const days = spansOf.map((own) => (own.length === 0 ? null : summaryOf(history, own)))
  return new MergedDays(days)
}

/** What only some ask for is worked out when they do. */
class MergedDays implements DailyUsage {
  readonly days: readonly (Day | null)[]
  #merged: MergedRun | undefined

  constructor(days: readonly (Day | null)[]) {
    this.days = days
  }

  get values(): Float64Array {
    return this.#all().values
  }

  get weights(): Float64Array {
    return this.#all().weights
  }

  get dayOf(): Int32Array {
    return this.#all().marks
  }

  #all(): MergedRun {
    const seen = [...this.days.keys()].filter((day) => this.days[day] !== null)
    this.#merged ??= mergeRuns(
      seen.map((day) => this.days[day]!),
      seen,
    )
    return this.#merged
  }
}

/**
 * Percentiles (shares, ascending) of the days before `before`, a day weighing `weightOf` its age: 0 for the latest.
 * Each is the least value at or below which lies that share of the weight.
 */
export function percentilesBefore(
  usage: DailyUsage,
  before: number,
  shares: readonly number[],
  weightOf: (age: number) => number,
): number[] {
  const { values, weights, dayOf } = usage
  const dayWeights = new Float64Array(before)
  for (let day = 0; day < before; day++) dayWeights[day] = weightOf(before - 1 - day)
  let total = 0
  for (let i = 0; i < values.length; i++)
    if (dayOf[i]! < before) total += weights[i]! * dayWeights[dayOf[i]!]!
  const found: number[] = []
  let sum = 0
  for (let i = 0; i < values.length && found.length < shares.length; i++) {
    if (dayOf[i]! >= before) continue
    sum += weights[i]! * dayWeights[dayOf[i]!]!
    while (found.length < shares.length && sum >= shares[found.length]! * total * (1 - 1e-12))
      found.push(values[i]!)
  }
  return found
}

const empty = new Float64Array()
