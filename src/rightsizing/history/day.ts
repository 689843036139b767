import type { ResourceHistory } from './history.ts'
import type { PercentileHistogram, SpanValues } from './percentile-histogram.ts'
import { mergeRuns, type SortedRun } from './sorted-runs.ts'

/** A day of usage: 24 hours that end a whole number of days before the end of the history. */
export interface Day {
  readonly mean: number
  readonly peak: number
  readonly p5: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly hours: number
  /** Peak of the last hour, or hours, with samples. */
  readonly peakOfLastHour: number
  readonly peakOfLast3Hours: number
  readonly peakOfLast6Hours: number
  readonly meanOfLast3Hours: number
  readonly meanOfLast6Hours: number
  readonly range: number
  readonly values: Float64Array
  readonly weights: Float64Array
}

/** Spans of the days of a history, in order of day and, within one, oldest first. */
export interface OrderedSpans {
  readonly history: ResourceHistory
  readonly order: readonly number[]
  readonly histogram: PercentileHistogram
}

/** Summarises the spans order[from] to order[to - 1] of one day. There must be at least one. */
export const summaryOf = (spans: OrderedSpans, from: number, to: number): Day =>
  new SummarisedDay(spans, from, to)

/** Most values are needed for the latest day only, so they are computed on demand. */
class SummarisedDay implements Day {
  readonly #spans: OrderedSpans
  readonly #from: number
  readonly #to: number
  readonly peak: number
  readonly mean: number
  readonly hours: number
  #run: SortedRun | undefined
  #percentiles: readonly number[] | undefined

  constructor(spans: OrderedSpans, from: number, to: number) {
    this.#spans = spans
    this.#from = from
    this.#to = to
    const { startHours, endHours, peaks, means } = spans.history
    let peak = Number.NEGATIVE_INFINITY
    let [sum, hours] = [0, 0]
    for (let at = from; at < to; at++) {
      const span = spans.order[at]!
      const length = endHours[span]! - startHours[span]!
      if (peaks[span]! > peak) peak = peaks[span]!
      sum += means[span]! * length
      hours += length
    }
    this.peak = peak
    this.mean = sum / hours
    this.hours = hours
  }

  get values(): Float64Array {
    return this.#all().values
  }

  get weights(): Float64Array {
    return this.#all().weights
  }

  get p5(): number {
    return this.#percentile(0)
  }

  get p50(): number {
    return this.#percentile(1)
  }

  get p95(): number {
    return this.#percentile(2)
  }

  get p99(): number {
    return this.#percentile(3)
  }

  get peakOfLastHour(): number {
    return this.#peakFrom(this.#last(1))
  }

  get peakOfLast3Hours(): number {
    return this.#peakFrom(this.#last(3))
  }

  get peakOfLast6Hours(): number {
    return this.#peakFrom(this.#last(6))
  }

  get meanOfLast3Hours(): number {
    return this.#meanFrom(this.#last(3))
  }

  get meanOfLast6Hours(): number {
    return this.#meanFrom(this.#last(6))
  }

  get range(): number {
    const { history, order } = this.#spans
    let least = Number.POSITIVE_INFINITY
    for (let at = this.#from; at < this.#to; at++) least = Math.min(least, history.peaks[order[at]!]!)
    return this.peak / Math.max(least, 1e-9)
  }

  #all(): SortedRun {
    const { history, order } = this.#spans
    this.#run ??= mergedSpans(history, order.slice(this.#from, this.#to))
    return this.#run
  }

  #percentile(index: number): number {
    this.#percentiles ??= this.#allPercentiles()
    return this.#percentiles[index]!
  }

  #allPercentiles(): readonly number[] {
    const { history, order, histogram } = this.#spans
    const [from, to] = [this.#from, this.#to]
    const entries = history.entriesFrom(order[from]!)
    return to - from === 1
      ? quantiles(entries, order[from]!)
      : histogram.percentilesOf(entries, order, from, to, [{ shares, weightOf: undefined }])[0]!
  }

  /** Index in the order at which the last `wanted` hours with samples begin. */
  #last(wanted: number): number {
    const { history, order } = this.#spans
    let first = this.#to
    for (let covered = 0; first > this.#from && covered < wanted; )
      covered += hoursOf(history, order[--first]!)
    return first
  }

  #peakFrom(first: number): number {
    const { history, order } = this.#spans
    let peak = Number.NEGATIVE_INFINITY
    for (let at = first; at < this.#to; at++) peak = Math.max(peak, history.peaks[order[at]!]!)
    return peak
  }

  #meanFrom(first: number): number {
    const { history, order } = this.#spans
    let [sum, hours] = [0, 0]
    for (let at = first; at < this.#to; at++) {
      const length = hoursOf(history, order[at]!)
      sum += history.means[order[at]!]! * length
      hours += length
    }
    return sum / hours
  }
}

const hoursOf = ({ startHours, endHours }: ResourceHistory, span: number): number =>
  endHours[span]! - startHours[span]!

function mergedSpans({ offsets, values, weights }: ResourceHistory, spans: readonly number[]): SortedRun {
  const runs = spans.map((span) => ({
    values: values.subarray(offsets[span]!, offsets[span + 1]!),
    weights: weights.subarray(offsets[span]!, offsets[span + 1]!),
  }))
  return runs.length === 1 ? runs[0]! : mergeRuns(runs)
}

const shares = [0.05, 0.5, 0.95, 0.99] as const

/** Percentiles of a single span, whose values are ascending. */
function quantiles({ offsets, values, weights }: SpanValues, span: number): number[] {
  const [from, to] = [offsets[span]!, offsets[span + 1]!]
  let total = 0
  for (let i = from; i < to; i++) total += weights[i]!
  const found: number[] = []
  let sum = 0
  for (let i = from; i < to && found.length < shares.length; i++) {
    sum += weights[i]!
    while (found.length < shares.length && sum >= shares[found.length]! * total * (1 - 1e-12))
      found.push(values[i]!)
  }
  return found
}
