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
  /** Hours the day has samples of. */
  readonly hours: number
  /** Peak of the last hour, or hours, with samples. */
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

/** What spans of one day say together: those of an order, oldest first and at least one, from a place to another. */
export const summaryOf = (
  history: ResourceHistory,
  order: Int32Array,
  from: number,
  to: number,
  histogram: PercentileHistogram,
): Day => new SummarisedDay(history, order, from, to, histogram)

/** Most values are needed for the latest day only, so they are computed on demand. */
class SummarisedDay implements Day {
  readonly #history: ResourceHistory
  readonly #order: Int32Array
  readonly #from: number
  readonly #to: number
  readonly #histogram: PercentileHistogram
  readonly peak: number
  readonly mean: number
  readonly hours: number
  #run: SortedRun | undefined
  #percentiles: number[] | undefined

  constructor(
    history: ResourceHistory,
    order: Int32Array,
    from: number,
    to: number,
    histogram: PercentileHistogram,
  ) {
    this.#history = history
    this.#histogram = histogram
    this.#order = order
    this.#from = from
    this.#to = to
    this.peak = this.#peakFrom(from)
    this.mean = this.#meanFrom(from)
    let hours = 0
    for (let at = from; at < to; at++) hours += this.#hoursOf(order[at]!)
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
    let least = Number.POSITIVE_INFINITY
    for (let at = this.#from; at < this.#to; at++)
      least = Math.min(least, this.#history.peaks[this.#order[at]!]!)
    return this.peak / Math.max(least, 1e-9)
  }

  #all(): SortedRun {
    this.#run ??= mergedSpans(this.#history, this.#order.subarray(this.#from, this.#to))
    return this.#run
  }

  #percentile(index: number): number {
    this.#percentiles ??= this.#allPercentiles()
    return this.#percentiles[index]!
  }

  #allPercentiles(): number[] {
    const [history, order, from, to] = [this.#history, this.#order, this.#from, this.#to]
    const entries = history.entriesFrom(order[from]!)
    if (to - from === 1) return quantiles(entries, order[from]!)
    const weightOf = new Float64Array(history.peaks.length).fill(1)
    return this.#histogram.percentilesOf(entries, order, from, to, [{ shares, weightOf }])[0]!
  }

  /** Where its last hours begin. */
  #last(wanted: number): number {
    let first = this.#to
    for (let covered = 0; first > this.#from && covered < wanted; )
      covered += this.#hoursOf(this.#order[--first]!)
    return first
  }

  #hoursOf(span: number): number {
    return this.#history.endHours[span]! - this.#history.startHours[span]!
  }

  #peakFrom(first: number): number {
    let peak = Number.NEGATIVE_INFINITY
    for (let at = first; at < this.#to; at++) peak = Math.max(peak, this.#history.peaks[this.#order[at]!]!)
    return peak
  }

  #meanFrom(first: number): number {
    let sum = 0
    let hours = 0
    for (let at = first; at < this.#to; at++) {
      const span = this.#order[at]!
      sum += this.#history.means[span]! * this.#hoursOf(span)
      hours += this.#hoursOf(span)
    }
    return sum / hours
  }
}

function mergedSpans({ offsets, values, weights }: ResourceHistory, spans: Int32Array): SortedRun {
  const runs = Array.from(spans, (span) => ({
    values: values.subarray(offsets[span]!, offsets[span + 1]!),
    weights: weights.subarray(offsets[span]!, offsets[span + 1]!),
  }))
  return runs.length === 1 ? runs[0]! : mergeRuns(runs)
}

const shares = [0.05, 0.5, 0.95, 0.99] as const

/** Reads one span, whose values ascend. */
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
