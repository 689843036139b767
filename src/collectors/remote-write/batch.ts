/** The samples of a request that are of use, in columns, and the count of the rest. */
export class Batch {
  /** Numbers of series, as the resolver gave them. */
  series = new Int32Array(initial)
  timesMs = new Float64Array(initial)
  values = new Float64Array(initial)
  count = 0
  staleMarkers = 0
  ignoredSamples = 0
  ignoredHistograms = 0
  ignoredExemplars = 0
  /** Samples of series whose labels or names are beyond the limits. */
  oversizedSamples = 0

  /** Samples of series that were refused, and where these lie in the message: from, to, from, to. */
  refusedSamples = 0
  readonly refused: number[] = []

  /** Where series of use lie in the message, if that is asked for: number, from, to, number, from, to. */
  ranges: number[] | undefined

  /** All samples of the request. */
  get samples(): number {
    return this.count + this.staleMarkers + this.ignoredSamples + this.oversizedSamples + this.refusedSamples
  }

  push(series: number, timeMs: number, value: number): void {
    if (this.count === this.series.length) this.#grow()
    this.series[this.count] = series
    this.timesMs[this.count] = timeMs
    this.values[this.count++] = value
  }

  clear(): void {
    this.count = 0
    this.staleMarkers = 0
    this.ignoredSamples = 0
    this.ignoredHistograms = 0
    this.ignoredExemplars = 0
    this.oversizedSamples = 0
    this.refusedSamples = 0
    this.refused.length = 0
    if (this.ranges !== undefined) this.ranges.length = 0
  }

  /** Releases its content, and the memory of a large request. */
  release(): void {
    this.clear()
    if (this.series.length > kept) this.#allocate(initial)
  }

  #grow(): void {
    const { series, timesMs, values } = this
    this.#allocate(series.length * 2)
    this.series.set(series)
    this.timesMs.set(timesMs)
    this.values.set(values)
  }

  #allocate(length: number): void {
    this.series = new Int32Array(length)
    this.timesMs = new Float64Array(length)
    this.values = new Float64Array(length)
  }
}

const initial = 1024
/** Number of samples whose 320 KiB are not worth allocating again. */
const kept = 1 << 14
