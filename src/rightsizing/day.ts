import { percentilesOf } from './bins.ts'
import type { ResourceHistory } from './history.ts'
import { mergeRuns, type Run } from './runs.ts'

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

/** What spans of one day, oldest first and at least one, say together. */
export const summaryOf = (history: ResourceHistory, spans: readonly number[]): Day =>
  new SummarisedDay(history, spans)

/** Most of what can be said of a day is asked of the latest alone, so it is worked out when it is. */
class SummarisedDay implements Day {
  readonly #history: ResourceHistory
  readonly #spans: readonly number[]
  readonly peak: number
  readonly mean: number
  readonly hours: number
  #run: Run | undefined
  #percentiles: number[] | undefined

  constructor(history: ResourceHistory, spans: readonly number[]) {
    this.#history = history
    this.#spans = spans
    this.peak = this.#peakOf(spans)
    this.mean = this.#meanOf(spans)
    let hours = 0
    for (const i of spans) hours += this.#hoursOf(i)
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
    return this.#peakOf(this.#last(1))
  }

  get peakOfLast3Hours(): number {
    return this.#peakOf(this.#last(3))
  }

  get peakOfLast6Hours(): number {
    return this.#peakOf(this.#last(6))
  }

  get meanOfLast3Hours(): number {
    return this.#meanOf(this.#last(3))
  }

  get meanOfLast6Hours(): number {
    return this.#meanOf(this.#last(6))
  }

  get range(): number {
    let least = Number.POSITIVE_INFINITY
    for (const i of this.#spans) least = Math.min(least, this.#history.peaks[i]!)
    return this.peak / Math.max(least, 1e-9)
  }

  #all(): Run {
    this.#run ??= mergedSpans(this.#history, this.#spans)
    return this.#run
  }

  #percentile(index: number): number {
    this.#percentiles ??= percentilesIn(this.#history, this.#spans, dayShares)
    return this.#percentiles[index]!
  }

  #last(wanted: number): readonly number[] {
    let first = this.#spans.length
    for (let covered = 0; first > 0 && covered < wanted; ) covered += this.#hoursOf(this.#spans[--first]!)
    return this.#spans.slice(first)
  }

  #hoursOf(span: number): number {
    return this.#history.endHours[span]! - this.#history.startHours[span]!
  }

  #peakOf(spans: readonly number[]): number {
    let peak = Number.NEGATIVE_INFINITY
    for (const i of spans) peak = Math.max(peak, this.#history.peaks[i]!)
    return peak
  }

  #meanOf(spans: readonly number[]): number {
    let [sum, hours] = [0, 0]
    for (const i of spans) {
      sum += this.#history.means[i]! * this.#hoursOf(i)
      hours += this.#hoursOf(i)
    }
    return sum / hours
  }
}

function mergedSpans({ offsets, values, weights }: ResourceHistory, spans: readonly number[]): Run {
  const runs = spans.map((i) => ({
    values: values.subarray(offsets[i]!, offsets[i + 1]!),
    weights: weights.subarray(offsets[i]!, offsets[i + 1]!),
  }))
  return runs.length === 1 ? runs[0]! : mergeRuns(runs)
}

const dayShares = [0.05, 0.5, 0.95, 0.99] as const

function percentilesIn(
  history: ResourceHistory,
  spans: readonly number[],
  shares: readonly number[],
): number[] {
  if (spans.length === 1)
    return quantiles(history, history.offsets[spans[0]!]!, history.offsets[spans[0]! + 1]!, shares)
  if (equal.length < history.peaks.length) equal = new Float64Array(history.peaks.length * 2).fill(1)
  return percentilesOf(history, spans, [{ shares, weightOf: equal }])[0]!
}

let equal = new Float64Array()

/** Of one span, whose values ascend; of shares that do. */
function quantiles(
  { values, weights }: ResourceHistory,
  from: number,
  to: number,
  shares: readonly number[],
): number[] {
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
