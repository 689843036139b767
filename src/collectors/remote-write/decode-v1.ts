import type { Batch } from './batch.ts'
import { hashBytes, hashed, hashTextBytes } from './label-hash.ts'
import type { DecodeLimits } from './limits.ts'
import { MalformedRequest } from './malformed.ts'
import type { Labels, Resolver } from './resolver.ts'
import { ignored, refused, unknown } from './resolver.ts'
import { decodeSample } from './sample.ts'
import { Wire } from './wire.ts'

/**
 * prometheus.WriteRequest, as far as it is read (prometheus.io/docs/specs/prw/remote_write_spec):
 *
 *   WriteRequest  1 timeseries, each  TimeSeries  1 labels, each  Label   1 name, 2 value
 *                                                 2 samples, each Sample  1 value (double), 2 timestamp (ms)
 *                                                 3 exemplars, 4 histograms
 */
export function decodeV1(bytes: Uint8Array, resolver: Resolver, limits: DecodeLimits, batch: Batch): void {
  const wire = new Wire(bytes)
  const end = bytes.length
  while (wire.at < end) {
    const start = wire.at
    const tag = wire.varint(end)
    if (tag >>> 3 === 1) {
      const length = wire.length(tag, end)
      const series = decodeSeries(wire, wire.at + length, resolver, limits, batch)
      if (series === refused) batch.refused.push(start, wire.at)
    } else wire.skip(tag, end)
  }
}

/** Labels come first; a sender that writes them otherwise is read by putting them first. What the series is. */
function decodeSeries(
  wire: Wire,
  end: number,
  resolver: Resolver,
  limits: DecodeLimits,
  batch: Batch,
): number {
  const { bytes, view } = wire
  const start = wire.at
  let labels = 0
  let nameHash = 0
  let oversized = false
  while (wire.at < end && bytes[wire.at] === labelTag) {
    wire.at++
    const length = wire.length(labelTag, end)
    if (length > limits.maxLabelBytes || ++labels > limits.maxLabels) oversized = true
    if (nameHash === 0 && length > 11 && isNameLabel(view, wire.at))
      nameHash = hashTextBytes(bytes, wire.at + 12, wire.at + length)
    wire.at += length
  }
  const labelsEnd = wire.at
  const { count, staleMarkers, ignoredSamples, oversizedSamples, refusedSamples } = batch
  const { ignoredHistograms, ignoredExemplars } = batch
  let series: number = ignored
  if (!oversized && (nameHash === 0 || resolver.mayUnderstand(nameHash))) {
    hashBytes(view, start, labelsEnd, 1)
    series = resolver.find(hashed.high, hashed.low)
    if (series === unknown)
      series = resolver.learn(hashed.high, hashed.low, () => decodeLabels(wire, start, labelsEnd))
    wire.at = labelsEnd
  }
  while (wire.at < end) {
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === 2) {
      const length = wire.length(tag, end)
      if (series >= 0) decodeSample(wire, wire.at + length, series, batch)
      else {
        wire.at += length
        if (oversized) batch.oversizedSamples++
        else if (series === refused) batch.refusedSamples++
        else batch.ignoredSamples++
      }
    } else if (field === 1) {
      Object.assign(batch, { count, staleMarkers, ignoredSamples, oversizedSamples, refusedSamples })
      Object.assign(batch, { ignoredHistograms, ignoredExemplars })
      const sorted = new Wire(labelsFirst(wire, start, end))
      series = decodeSeries(sorted, sorted.bytes.length, resolver, limits, batch)
      wire.at = end
    } else {
      if (field === 3) batch.ignoredExemplars++
      else if (field === 4) batch.ignoredHistograms++
      wire.skip(tag, end)
    }
  }
  return series
}

/** 1 name "__name__", 2 value: the form in which every sender writes it, with a value below 128 bytes. */
const isNameLabel = (view: DataView, at: number): boolean =>
  view.getUint16(at, true) === 0x080a &&
  view.getUint32(at + 2, true) === 0x616e5f5f &&
  view.getUint32(at + 6, true) === 0x5f5f656d &&
  view.getUint8(at + 10) === 0x12 &&
  view.getUint8(at + 11) < 128

function decodeLabels(wire: Wire, start: number, end: number): Labels {
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

function labelsFirst(wire: Wire, start: number, end: number): Uint8Array {
  const labels: Uint8Array[] = []
  const others: Uint8Array[] = []
  for (wire.at = start; wire.at < end; ) {
    const from = wire.at
    const tag = wire.varint(end)
    wire.skip(tag, end)
    if (tag >>> 3 === 1 && tag !== labelTag) throw new MalformedRequest('not the expected protobuf: a label')
    ;(tag === labelTag ? labels : others).push(wire.bytes.subarray(from, wire.at))
  }
  return Buffer.concat([...labels, ...others])
}

const labelTag = 0x0a
