import type { Batch } from './batch.ts'
import { hashed, hashMore } from './label-hash.ts'
import type { DecodeLimits } from './limits.ts'
import { MalformedRequest } from './malformed.ts'
import type { Resolver } from './resolver.ts'
import { ignored, refused, unknown } from './resolver.ts'
import { decodeSample } from './sample.ts'
import { Symbols } from './symbols.ts'
import { Wire } from './wire.ts'

/**
 * io.prometheus.write.v2.Request, as far as it is read (prometheus.io/docs/specs/prw/remote_write_spec_2_0):
 *
 *   Request  4 symbols, strings
 *            5 timeseries, each  TimeSeries  1 labels_refs, packed: symbol of a name, symbol of its value, ...
 *                                            2 samples, each Sample  1 value (double), 2 timestamp (ms)
 *                                            3 histograms, 4 exemplars
 *
 * Metadata and created timestamps are skipped: neither changes what a sample tells here.
 */
export function decodeV2(bytes: Uint8Array, resolver: Resolver, limits: DecodeLimits, batch: Batch): void {
  const wire = new Wire(bytes)
  const symbols = new Symbols(wire)
  const end = bytes.length
  const timeseries: number[] = []
  while (wire.at < end) {
    const start = wire.at
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === 4 || field === 5) {
      const length = wire.length(tag, end)
      if (field === 4) symbols.add(wire.at, wire.at + length)
      else timeseries.push(start, wire.at, wire.at + length)
      wire.at += length
    } else wire.skip(tag, end)
  }
  for (let index = 0; index < timeseries.length; index += 3) {
    wire.at = timeseries[index + 1]!
    const series = decodeSeries(wire, timeseries[index + 2]!, symbols, resolver, limits, batch)
    if (series === refused) batch.refused.push(timeseries[index]!, timeseries[index + 2]!)
  }
}

function decodeSeries(
  wire: Wire,
  end: number,
  symbols: Symbols,
  resolver: Resolver,
  limits: DecodeLimits,
  batch: Batch,
): number {
  const start = wire.at
  const refs = readRefs(wire, end)
  const known = numberOf(refs, symbols, resolver, limits)
  wire.at = start
  while (wire.at < end) {
    const tag = wire.varint(end)
    const field = tag >>> 3
    if (field === 2) {
      const length = wire.length(tag, end)
      if (known >= 0) decodeSample(wire, wire.at + length, known, batch)
      else {
        wire.at += length
        if (known === oversized) batch.oversizedSamples++
        else if (known === refused) batch.refusedSamples++
        else batch.ignoredSamples++
      }
    } else {
      if (field === 3) batch.ignoredHistograms++
      else if (field === 4) batch.ignoredExemplars++
      wire.skip(tag, end)
    }
  }
  return known
}

/** Packed is the rule, one by one is allowed. */
function readRefs(wire: Wire, end: number): number[] {
  const refs: number[] = []
  while (wire.at < end) {
    const tag = wire.varint(end)
    if (tag === 0x0a) {
      const length = wire.length(tag, end)
      for (const stop = wire.at + length; wire.at < stop; ) refs.push(wire.varint(stop))
    } else if (tag === 0x08) refs.push(wire.varint(end))
    else if (tag >>> 3 === 1) throw new MalformedRequest('not the expected protobuf: labels_refs')
    else wire.skip(tag, end)
  }
  return refs
}

function numberOf(
  refs: readonly number[],
  symbols: Symbols,
  resolver: Resolver,
  limits: DecodeLimits,
): number {
  if (refs.length % 2 !== 0) throw new MalformedRequest('a series has a label name without a value')
  if (refs.length > 2 * limits.maxLabels) return oversized
  hashed.high = 2
  hashed.low = refs.length
  for (let index = 0; index < refs.length; index++) {
    const symbol = refs[index]!
    if (!symbols.has(symbol))
      throw new MalformedRequest(`there is no symbol ${symbol}; the request has ${symbols.count}`)
    if (symbols.length(symbol) > limits.maxLabelBytes) return oversized
    if (
      index % 2 === 1 &&
      refs[index - 1] === symbols.nameSymbol &&
      !resolver.mayUnderstand(symbols.nameHash(symbol))
    )
      return ignored
    hashMore(symbols.high(symbol), symbols.low(symbol))
  }
  const { high, low } = hashed
  const number = resolver.find(high, low)
  return number === unknown ? resolver.learn(high, low, () => symbols.labels(refs)) : number
}

const oversized = -3
