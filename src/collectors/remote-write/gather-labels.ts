import type { Wire } from './wire.ts'

/** Copies the first labels of a TimeSeries, up to a maximum, one after the other with one-byte tags. */
export function gatherLabels(wire: Wire, end: number, most: number): Uint8Array {
  const { bytes } = wire
  // A tag never grows by it, so that all labels fit into what the series took.
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

const labelTag = 0x0a
