import { hashBytes, hashed } from './label-hash.ts'
import { ignored, oversized, type Resolver, refused, unknown } from './resolver.ts'
import { type Batch, decodeSamples } from './samples.ts'
import { Symbols } from './symbols.ts'
import { type DecodeLimits, MalformedRequest, RequestCounts, Wire } from './wire.ts'

/**
 * Decodes io.prometheus.write.v2.Request. These fields are read (prometheus.io/docs/specs/prw/remote_write_spec_2_0):
 *
 *   Request  4 symbols, strings
 *            5 timeseries, each  TimeSeries  1 labels_refs, packed: symbol of a name, symbol of its value, ...
 *                                            2 samples, each Sample  1 value (double), 2 timestamp (ms)
 *                                            3 histograms, 4 exemplars
 *
 * Metadata and created timestamps are skipped: neither changes the meaning of a sample here.
 */
export function decodeV2(bytes: Uint8Array, resolver: Resolver, limits: DecodeLimits, batch: Batch): void {
  const wire = new Wire(bytes, limits.maxSkippedFields)
  const counts = new RequestCounts(limits)
  const symbols = new Symbols(wire, limits.maxLabelBytes)
  const end = bytes.length
  const timeseries: number[] = []
  while (wire.at < end) {
    const start = wire.at
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === 4 || field === 5) {
      const length = wire.length(tag, end)
      if (field === 4) {
        counts.addSymbol()
        symbols.add(wire.at, wire.at + length)
      } else {
        counts.addSeries()
        timeseries.push(start, wire.at, wire.at + length)
      }
      wire.at += length
    } else wire.skip(tag, end)
  }
  const reader = new SeriesReader(symbols, resolver, counts, batch)
  for (let index = 0; index < timeseries.length; index += 3) {
    const [start, seriesEnd] = [timeseries[index + 1]!, timeseries[index + 2]!]
    wire.at = start
    const series = reader.read(wire, seriesEnd)
    wire.at = start
    decodeSamples(wire, seriesEnd, series, fields, counts, batch)
    if (series === refused) batch.refused.push(timeseries[index]!, seriesEnd)
    else if (series >= 0) batch.ranges?.push(series, timeseries[index]!, seriesEnd)
  }
}

const fields = { samples: 2, histograms: 3, exemplars: 4 }

class SeriesReader {
  readonly #symbols: Symbols
  readonly #resolver: Resolver
  readonly #counts: RequestCounts
  readonly #batch: Batch
  /** Label references of the current series; those beyond the limit are counted but not stored. */
  readonly #refs: Float64Array
  #refCount = 0
  /** Hashes of the referenced symbols, from which the hash of the series is computed. */
  readonly #hashes: Int32Array
  readonly #hashesView: DataView

  constructor(symbols: Symbols, resolver: Resolver, counts: RequestCounts, batch: Batch) {
    this.#symbols = symbols
    this.#resolver = resolver
    this.#counts = counts
    this.#batch = batch
    this.#refs = new Float64Array(2 * counts.limits.maxLabels)
    this.#hashes = new Int32Array(2 * this.#refs.length)
    this.#hashesView = new DataView(this.#hashes.buffer)
  }

  /** Returns the number of the series, or a marker. */
  read(wire: Wire, end: number): number {
    this.#readRefs(wire, end)
    if (this.#refCount > this.#refs.length) return oversized
    if (this.#refCount % 2 !== 0) throw new MalformedRequest('a series has a label name without a value')
    return this.#resolve()
  }

  /** References are usually packed, but single ones are allowed. */
  #readRefs(wire: Wire, end: number): void {
    this.#refCount = 0
    while (wire.at < end) {
      const tag = wire.varint(end)
      if (tag === 0x0a) {
        const length = wire.length(tag, end)
        const stop = wire.at + length
        while (wire.at < stop && this.#refCount <= this.#refs.length) this.#addRef(wire.varint(stop))
        wire.at = stop
      } else if (tag === 0x08) this.#addRef(wire.varint(end))
      else if (tag >>> 3 === 1) throw new MalformedRequest('not the expected protobuf: labels_refs')
      else wire.skip(tag, end)
    }
  }

  #addRef(symbol: number): void {
    if (this.#refCount < this.#refs.length) this.#refs[this.#refCount] = symbol
    this.#refCount++
  }

  #resolve(): number {
    const symbols = this.#symbols
    const { maxLabelBytes } = this.#counts.limits
    let bytes = 0
    for (let index = 0; index < this.#refCount; index++) {
      const symbol = this.#refs[index]!
      if (!symbols.has(symbol))
        throw new MalformedRequest(`there is no symbol ${symbol}; the request has ${symbols.count}`)
      const length = symbols.length(symbol)
      if (length > maxLabelBytes) return oversized
      if (
        index % 2 === 1 &&
        this.#refs[index - 1] === symbols.nameSymbol &&
        !this.#resolver.mayUnderstand(symbols.nameHash(symbol))
      )
        return ignored
      bytes += length
      this.#hashes[2 * index] = symbols.high(symbol)
      this.#hashes[2 * index + 1] = symbols.low(symbol)
    }
    this.#counts.addLabels(this.#refCount / 2, bytes)
    hashBytes(this.#hashesView, 0, 8 * this.#refCount, 3)
    const { high, low } = hashed
    this.#batch.beginSeries(high, low)
    const number = this.#resolver.find(high, low)
    return number === unknown ? this.#resolver.learn(high, low, this.#labels) : number
  }

  readonly #labels = () => this.#symbols.labels(this.#refs, this.#refCount)
}
