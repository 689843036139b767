import type { ResourceHistory } from './history.ts'
import { mergeRuns, type Run, runOf } from './runs.ts'

/** A day of usage: 24 hours that end a whole number of days before the end of the history. */
export interface Day {
  readonly mean: number
  readonly peak: number
  readonly p5: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Hours the day has samples of. */
  readonly hours: number
  /** Of its last hours that have samples. */
  readonly peakOfLastHour: number
  readonly peakOfLast3Hours: number
  readonly peakOfLast6Hours: number
  readonly meanOfLast3Hours: number
  readonly meanOfLast6Hours: number
  /** Highest hourly peak over lowest hourly peak. */
  readonly range: number
  /** Buckets, least value first. */
  readonly values: Float64Array
  readonly weights: Float64Array
}

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
  const days = spansOf.map((own) => (own.length === 0 ? null : summary(history, own)))
  return new MergedDays(days)
}

/** What only some ask for is worked out when they do. */
class MergedDays implements DailyUsage {
  readonly days: readonly (Day | null)[]
  #merged: Run | undefined

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

  #all(): Run {
    this.#merged ??= mergeRuns(
      this.days.flatMap((day, index) => (day === null ? [] : [runOf(day.values, day.weights, index)])),
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

function summary(history: ResourceHistory, spans: number[]): Day {
  const { values, weights } = mergeRuns(
    spans.map((i) => {
      const [from, to] = [history.offsets[i]!, history.offsets[i + 1]!]
      return runOf(history.values.subarray(from, to), history.weights.subarray(from, to), 0)
    }),
  )
  const hoursOf = (i: number): number => history.endHours[i]! - history.startHours[i]!
  const hours = spans.reduce((sum, i) => sum + hoursOf(i), 0)
  const last = (wanted: number): number[] => {
    let first = spans.length
    for (let covered = 0; first > 0 && covered < wanted; ) covered += hoursOf(spans[--first]!)
    return spans.slice(first)
  }
  const peakOf = (some: number[]): number => Math.max(...some.map((i) => history.peaks[i]!))
  const meanOf = (some: number[]): number => {
    const sum = some.reduce((total, i) => total + hoursOf(i), 0)
    return some.reduce((total, i) => total + history.means[i]! * hoursOf(i), 0) / sum
  }
  const peaks = spans.map((i) => history.peaks[i]!)
  const [p5, p50, p95, p99] = quantiles(values, weights, [0.05, 0.5, 0.95, 0.99])
  return {
    mean: meanOf(spans),
    peak: peakOf(spans),
    ...{ p5: p5!, p50: p50!, p95: p95!, p99: p99! },
    hours,
    peakOfLastHour: peakOf(last(1)),
    peakOfLast3Hours: peakOf(last(3)),
    peakOfLast6Hours: peakOf(last(6)),
    meanOfLast3Hours: meanOf(last(3)),
    meanOfLast6Hours: meanOf(last(6)),
    range: Math.max(...peaks) / Math.max(Math.min(...peaks), 1e-9),
    values,
    weights,
  }
}

/** Of shares that ascend. */
function quantiles(values: Float64Array, weights: Float64Array, shares: readonly number[]): number[] {
  let total = 0
  for (let i = 0; i < weights.length; i++) total += weights[i]!
  const found: number[] = []
  let sum = 0
  for (let i = 0; i < values.length && found.length < shares.length; i++) {
    sum += weights[i]!
    while (found.length < shares.length && sum >= shares[found.length]! * total * (1 - 1e-12))
      found.push(values[i]!)
  }
  while (found.length < shares.length) found.push(values.at(-1) ?? 0)
  return found
}
