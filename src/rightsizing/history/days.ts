import { type Day, type OrderedSpans, summaryOf } from './day.ts'
import type { ResourceHistory } from './history.ts'
import { PercentileHistogram, type SpanWeighting } from './percentile-histogram.ts'

/** Oldest first; a day without samples is null. Day d of a series is decided from days 0 to d - 1. */
export interface DailyUsage extends OrderedSpans {
  readonly days: readonly (Day | null)[]
  /** In the order of spans, those of day d are from starts[d] to starts[d + 1]. */
  readonly starts: readonly number[]
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
  // Lists rather than typed arrays, of which V8 allocates all but the smallest outside its heap, in microseconds.
  const starts: number[] = new Array(count + 1).fill(0)
  for (let span = 0; span < spans; span++) {
    const day = dayOf(span)
    if (day >= 0 && day < count) starts[day + 1]!++
  }
  for (let day = 0; day < count; day++) starts[day + 1]! += starts[day]!
  const order: number[] = new Array(starts[count]!).fill(0)
  const next = starts.slice()
  for (let span = 0; span < spans; span++) {
    const day = dayOf(span)
    if (day >= 0 && day < count) order[next[day]!++] = span
  }
  const ordered = { history, order, histogram }
  const days: (Day | null)[] = []
  for (let day = 0; day < count; day++) {
    const [from, to] = [starts[day]!, starts[day + 1]!]
    days.push(from === to ? null : summaryOf(ordered, from, to))
  }
  return { ...ordered, days, starts }
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
  const weighings = wanted.map(({ shares, weightOf }): SpanWeighting => {
    const weights: number[] = new Array(history.peaks.length).fill(0)
    for (let day = 0; day < last; day++) {
      const weight = weightOf(before - 1 - day)
      for (let at = starts[day]!; at < starts[day + 1]!; at++) weights[order[at]!] = weight
    }
    return { shares, weightOf: weights }
  })
  return histogram.percentilesOf(history.entriesFrom(0), order, 0, starts[last]!, weighings)
}
