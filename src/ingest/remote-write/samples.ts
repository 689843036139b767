import { oversized, refused } from './resolver.ts'
import { isStaleMarker, MalformedRequest, type RequestCounts, type Wire } from './wire.ts'

/** The samples of a request that are used, each with the hash of its series. Hashes are valid in this process only. */
export interface DecodedSamples {
  readonly highs: Uint32Array
  readonly lows: Uint32Array
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly staleMarkers: number
}

/** The samples of a request that are used, in columns, and counts of the rest. */
export class Batch {
  /** Numbers of series, as the resolver gave them. */
  series = new Int32Array(initial)
  /** Hashes of series' labels. */
  highs = new Uint32Array(initial)
  lows = new Uint32Array(initial)
  timesMs = new Float64Array(initial)
  values = new Float64Array(initial)
  count = 0
  staleMarkers = 0
  ignoredSamples = 0
  ignoredHistograms = 0
  ignoredExemplars = 0
  /** Number of samples of series whose labels or names exceed the limits. */
  oversizedSamples = 0

  /** Number of samples of refused series, and the positions of these series in the message: from, to, from, to. */
  refusedSamples = 0
  readonly refused: number[] = []

  /** Positions in the message of the used series: number, from, to, number, ... Recorded only if this is set. */
  ranges: number[] | undefined

  #high = 0
  #low = 0

  /** All samples of the request. */
  get samples(): number {
    return this.count + this.staleMarkers + this.ignoredSamples + this.oversizedSamples + this.refusedSamples
  }

  /** Sets the hash of the series whose samples follow. */
  beginSeries(high: number, low: number): void {
    this.#high = high
    this.#low = low
  }

  push(series: number, timeMs: number, value: number): void {
    if (this.count === this.series.length) this.#grow()
    this.series[this.count] = series
    this.highs[this.count] = this.#high
    this.lows[this.count] = this.#low
    this.timesMs[this.count] = timeMs
    this.values[this.count++] = value
  }

  decodedSamples(): DecodedSamples {
    const { count, staleMarkers } = this
    return {
      highs: this.highs.slice(0, count),
      lows: this.lows.slice(0, count),
      timesMs: this.timesMs.slice(0, count),
      values: this.values.slice(0, count),
      staleMarkers,
    }
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

  release(): void {
    this.clear()
    if (this.series.length > kept) this.#allocate(initial)
  }

  #grow(): void {
    const { series, highs, lows, timesMs, values } = this
    this.#allocate(series.length * 2)
    this.series.set(series)
    this.highs.set(highs)
    this.lows.set(lows)
    this.timesMs.set(timesMs)
    this.values.set(values)
  }

  #allocate(length: number): void {
    this.series = new Int32Array(length)
    this.highs = new Uint32Array(length)
    this.lows = new Uint32Array(length)
    this.timesMs = new Float64Array(length)
    this.values = new Float64Array(length)
  }
}

const initial = 1024
/** Number of samples whose 448 KiB are not worth allocating again. */
const kept = 1 << 14

/** Numbers of the fields of TimeSeries, which differ between the two versions. */
interface SeriesFields {
  readonly samples: number
  readonly histograms: number
  readonly exemplars: number
}

/** Reads the samples from the cursor to the end, and counts histograms and exemplars. */
export function decodeSamples(
  wire: Wire,
  end: number,
  series: number,
  fields: SeriesFields,
  counts: RequestCounts,
  batch: Batch,
): void {
  while (wire.at < end) {
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === fields.samples) {
      const length = wire.length(tag, end)
      counts.addSample()
      if (series >= 0) decodeSample(wire, wire.at + length, series, batch)
      else {
        wire.at += length
        if (series === oversized) batch.oversizedSamples++
        else if (series === refused) batch.refusedSamples++
        else batch.ignoredSamples++
      }
      continue
    }
    if (field === fields.histograms || field === fields.exemplars) {
      counts.addSample()
      if (field === fields.histograms) batch.ignoredHistograms++
      else batch.ignoredExemplars++
    }
    wire.skip(tag, end)
  }
}

/** A Sample of either version: 1 value (double), 2 timestamp (int64, ms); a missing field is 0. The cursor is at its first byte. */
function decodeSample(wire: Wire, end: number, series: number, batch: Batch): void {
  let value = 0
  let timeMs = 0
  let stale = false
  while (wire.at < end) {
    const tag = wire.bytes[wire.at]!
    if (tag === valueTag) {
      if (wire.at + 9 > end)
        throw new MalformedRequest('not protobuf, or cut short: a sample has no whole value')
      value = wire.view.getFloat64(wire.at + 1, true)
      stale = Number.isNaN(value) && isStaleMarker(wire.view, wire.at + 1)
      wire.at += 9
    } else if (tag === timestampTag) {
      wire.at++
      timeMs = wire.varint(end)
    } else {
      const other = wire.varint(end)
      if (other >>> 3 === 1 || other >>> 3 === 2)
        throw new MalformedRequest(
          `not the expected protobuf: a sample's field ${other >>> 3} has wire type ${other & 7}`,
        )
      wire.skip(other, end)
    }
  }
  if (stale) batch.staleMarkers++
  else batch.push(series, timeMs, value)
}

const valueTag = 0x09
const timestampTag = 0x10
