import { hashBytes, hashed, hashTextBytes } from './label-hash.ts'
import { ignored, type LabelPairs, oversized, type Resolver, refused, unknown } from './resolver.ts'
import { type Batch, decodeSamples } from './samples.ts'
import { type DecodeLimits, RequestCounts, Wire } from './wire.ts'

/**
 * Decodes prometheus.WriteRequest. These fields are read (prometheus.io/docs/specs/prw/remote_write_spec):
 *
 *   WriteRequest  1 timeseries, each  TimeSeries  1 labels, each  Label   1 name, 2 value
 *                                                 2 samples, each Sample  1 value (double), 2 timestamp (ms)
 *                                                 3 exemplars, 4 histograms
 */
export function decodeV1(bytes: Uint8Array, resolver: Resolver, limits: DecodeLimits, batch: Batch): void {
  const wire = new Wire(bytes, limits.maxSkippedFields)
  const reader = new SeriesReader(resolver, new RequestCounts(limits), batch)
  const end = bytes.length
  while (wire.at < end) {
    const start = wire.at
    const tag = wire.varint(end)
    if (tag >>> 3 === 1) {
      const length = wire.length(tag, end)
      const series = reader.read(wire, wire.at + length)
      if (series === refused) batch.refused.push(start, wire.at)
      else if (series >= 0) batch.ranges?.push(series, start, wire.at)
    } else wire.skip(tag, end)
  }
}

const fields = { samples: 2, exemplars: 3, histograms: 4 }

class SeriesReader {
  readonly #resolver: Resolver
  readonly #counts: RequestCounts
  readonly #batch: Batch
  /** Results of the last scan. */
  #labels = 0
  #nameHash = 0
  #isOversized = false

  constructor(resolver: Resolver, counts: RequestCounts, batch: Batch) {
    this.#resolver = resolver
    this.#counts = counts
    this.#batch = batch
  }

  /**
   * Returns the number of the series, or a marker. Every sender writes labels first; if they are not first, they are
   * copied into that order. No byte is read more than a few times, whatever the order.
   */
  read(wire: Wire, end: number): number {
    const start = wire.at
    this.#counts.addSeries()
    this.#scanLabels(wire, end)
    const labelsEnd = wire.at
    let series: number
    if (!this.#isOversized && hasLabel(wire, end)) {
      wire.at = start
      const { maxLabels, maxSkippedFields } = this.#counts.limits
      const gathered = new Wire(gatherLabels(wire, end, maxLabels + 1), maxSkippedFields)
      const { length } = gathered.bytes
      this.#scanLabels(gathered, length)
      series = this.#resolve(gathered, 0, length)
      wire.at = start
    } else {
      series = this.#resolve(wire, start, labelsEnd)
      wire.at = labelsEnd
    }
    decodeSamples(wire, end, series, fields, this.#counts, this.#batch)
    return series
  }

  /** Scans consecutive labels from the cursor, up to one that is beyond a limit. Leaves the cursor behind them. */
  #scanLabels(wire: Wire, end: number): void {
    const { bytes, view } = wire
    const { maxLabelBytes, maxLabels } = this.#counts.limits
    let labels = 0
    let nameHash = 0
    let isOversized = false
    while (wire.at < end && bytes[wire.at] === labelTag && !isOversized) {
      wire.at++
      const length = wire.length(labelTag, end)
      if (length > maxLabelBytes || ++labels > maxLabels) isOversized = true
      else if (nameHash === 0 && length > 11 && isNameLabel(view, wire.at))
        nameHash = hashTextBytes(bytes, wire.at + 12, wire.at + length)
      wire.at += length
    }
    this.#labels = labels
    this.#nameHash = nameHash
    this.#isOversized = isOversized
  }

  #resolve(wire: Wire, start: number, end: number): number {
    if (this.#isOversized) return oversized
    this.#counts.addLabels(this.#labels, end - start)
    const resolver = this.#resolver
    if (this.#nameHash !== 0 && !resolver.mayUnderstand(this.#nameHash)) return ignored
    hashBytes(wire.view, start, end, 1)
    const { high, low } = hashed
    this.#batch.beginSeries(high, low)
    const series = resolver.find(high, low)
    return series === unknown ? resolver.learn(high, low, () => decodeLabels(wire, start, end)) : series
  }
}

/** Whether a label follows behind other fields. */
function hasLabel(wire: Wire, end: number): boolean {
  while (wire.at < end) {
    const tag = wire.varint(end)
    if (tag >>> 3 === 1) return true
    wire.skip(tag, end)
  }
  return false
}

/** Recognises 1 name "__name__", 2 value in the form in which every sender writes it, with a value below 128 bytes. */
const isNameLabel = (view: DataView, at: number): boolean =>
  view.getUint16(at, true) === 0x080a &&
  view.getUint32(at + 2, true) === 0x616e5f5f &&
  view.getUint32(at + 6, true) === 0x5f5f656d &&
  view.getUint8(at + 10) === 0x12 &&
  view.getUint8(at + 11) < 128

function decodeLabels(wire: Wire, start: number, end: number): LabelPairs {
  const labels: [string, string][] = []
  wire.at = start
  while (wire.at < end) {
    const length = wire.length(wire.varint(end), end)
    labels.push(decodeLabel(wire, wire.at + length))
  }
  return labels
}

function decodeLabel(wire: Wire, end: number): [string, string] {
  const label: [string, string] = ['', '']
  while (wire.at < end) {
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === 1 || field === 2) {
      const length = wire.length(tag, end)
      label[field - 1] = wire.text(length)
    } else wire.skip(tag, end)
  }
  return label
}

const labelTag = 0x0a

/** Copies the first labels of a TimeSeries, up to a maximum, one after the other with one-byte tags. */
function gatherLabels(wire: Wire, end: number, most: number): Uint8Array {
  const { bytes } = wire
  // Copying never makes a tag longer, so all labels fit into the size of the series.
  const gathered = new Uint8Array(end - wire.at)
  let to = 0
  for (let labels = 0; wire.at < end && labels < most; ) {
    const tag = wire.varint(end)
    if (tag >>> 3 !== 1) {
      wire.skip(tag, end)
      continue
    }
    const from = wire.at
    const length = wire.length(tag, end)
    wire.at += length
    gathered[to++] = labelTag
    for (let at = from; at < wire.at; at++) gathered[to++] = bytes[at]!
    labels++
  }
  return gathered.subarray(0, to)
}
