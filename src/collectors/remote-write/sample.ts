import type { Batch } from './batch.ts'
import type { RequestCounts } from './limits.ts'
import { MalformedRequest } from './malformed.ts'
import { oversized, refused } from './resolver.ts'
import type { Wire } from './wire.ts'
import { isStaleMarker } from './wire.ts'

/** Numbers of a TimeSeries' fields, which the two versions give differently. */
interface SeriesFields {
  readonly samples: number
  readonly histograms: number
  readonly exemplars: number
}

/** Reads the samples from the cursor to the end, and counts what else a TimeSeries holds. */
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

/** Sample of both versions: 1 value (double), 2 timestamp (int64, ms); what is left out is 0. The cursor is at its first byte. */
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
