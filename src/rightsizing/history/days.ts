import { type Day, summaryOf } from './day.ts'
import type { ResourceHistory } from './history.ts'
import { PercentileHistogram, type SpanWeighting } from './percentile-histogram.ts'

/** Oldest first; a day without samples is null. Day d of a series is decided from days 0 to d - 1. */
export interface DailyUsage {
  readonly days: readonly (Day | null)[]
  readonly history: ResourceHistory
  /** Spans of the history, those of day d from starts[d] to starts[d + 1], oldest first. */
  readonly order: Int32Array
  readonly starts: Int32Array
  /** Where percentiles of its days are worked out; many may share one. */
  readonly histogram: PercentileHistogram
}

export function dailyUsage(
  history: ResourceHistory,
  endHour: number,
  histogram = new PercentileHistogram(),
): DailyUsage {
  const { startHours, endHours } = history
  const spans = startHours.length
  // A span belongs to the day its middle lies in: days as the calendar has them seldom end when the history does.
  const middleOfFirst = spans === 0 ? endHour : (startHours[0]! + endHours[0]!) / 2
  const count = Math.max(0, Math.ceil((endHour - middleOfFirst) / 24))
  const firstHour = endHour - count * 24
  const dayOf = (span: number): number =>
    Math.floor(((startHours[span]! + endHours[span]!) / 2 - firstHour) / 24)
  const starts = new Int32Array(count + 1)
  for (let span = 0; span < spans; span++) {
    const day = dayOf(span)
    if (day >= 0 && day < count) starts[day + 1]!++
  }
  for (let day = 0; day < count; day++) starts[day + 1]! += starts[day]!
  const order = new Int32Array(starts[count]!)
  const next = starts.slice(0, count)
  for (let span = 0; span < spans; span++) {
    const day = dayOf(span)
    if (day >= 0 && day < count) order[next[day]!++] = span
  }
  const days: (Day | null)[] = []
  for (let day = 0; day < count; day++) {
    const [from, to] = [starts[day]!, starts[day + 1]!]
    days.push(from === to ? null : summaryOf(history, order, from, to, histogram))
  }
  return { days, history, order, starts, histogram }
}

/** Shares, ascending, and what a day weighs by its age: 0 for the latest. */
interface AgeWeighting {
  readonly shares: readonly number[]
  readonly weightOf: (age: number) => number
}

/** Percentiles of the days before `before`: each the least value at or below which lies that share of the weight. */
export function percentilesBefore(
  { history, days, order, starts, histogram }: DailyUsage,
  before: number,
  wanted: readonly AgeWeighting[],
): number[][] {
  const last = Math.min(before, days.length)
  const spans = history.peaks.length
  const all = new Float64Array(spans * wanted.length)
  const weighings = wanted.map(({ shares, weightOf }, index): SpanWeighting => {
    const weights = all.subarray(index * spans, (index + 1) * spans)
    for (let day = 0; day < last; day++) {
      const weight = weightOf(before - 1 - day)
      for (let at = starts[day]!; at < starts[day + 1]!; at++) weights[order[at]!] = weight
    }
    return { shares, weightOf: weights }
  })
  return histogram.percentilesOf(history.entriesFrom(0), order, 0, starts[last]!, weighings)
}
