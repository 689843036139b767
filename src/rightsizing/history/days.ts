import { type Day, type OrderedSpans, summaryOf } from './day.ts'
import type { ResourceHistory } from './history.ts'
import { PercentileHistogram, type SpanWeighting } from './percentile-histogram.ts'

/**
 * Days are oldest first; a day without samples is null. The size for day d of a series is decided from days 0 to d - 1.
 */
export interface DailyUsage extends OrderedSpans {
  readonly days: readonly (Day | null)[]
  /** The spans of day d are order[starts[d]] to order[starts[d + 1] - 1]. */
  readonly starts: readonly number[]
}

export function dailyUsage(
  history: ResourceHistory,
  endHour: number,
  histogram = new PercentileHistogram(),
): DailyUsage {
  const { startHours, endHours } = history
  const spans = startHours.length
  // A span belongs to the day that contains its middle, because merged calendar days seldom end when a day of the
  // history ends.
  const middleOfFirst = spans === 0 ? endHour : (startHours[0]! + endHours[0]!) / 2
  const count = Math.max(0, Math.ceil((endHour - middleOfFirst) / 24))
  const firstHour = endHour - count * 24
  const dayOf = (span: number): number =>
    Math.floor(((startHours[span]! + endHours[span]!) / 2 - firstHour) / 24)
  // Plain arrays: V8 allocates all but the smallest typed arrays outside its heap, which takes microseconds.
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

/** The shares wanted, ascending, and the weight of a day by its age in days; the latest day has age 0. */
interface AgeWeighting {
  readonly shares: readonly number[]
  readonly weightOf: (age: number) => number
}

/** Percentiles of the days before `before`: each is the least value at or below which that share of the weight lies. */
export function percentilesBefore(
  { history, days, order, starts, histogram }: DailyUsage,
  before: number,
  wanted: readonly AgeWeighting[],
): number[][] {
  const last = Math.min(before, days.length)
  const weightings = wanted.map(({ shares, weightOf }): SpanWeighting => {
    const weights: number[] = new Array(history.peaks.length).fill(0)
    for (let day = 0; day < last; day++) {
      const weight = weightOf(before - 1 - day)
      for (let at = starts[day]!; at < starts[day + 1]!; at++) weights[order[at]!] = weight
    }
    return { shares, weightOf: weights }
  })
  return histogram.percentilesOf(history.entriesFrom(0), order, 0, starts[last]!, weightings)
}
