import type { MessageFormat } from './decode.ts'
import type { LabelPairs } from './resolver.ts'
import { compress } from './snappy.ts'

export interface SeriesToWrite {
  /** In order of name, as the protocol requires. */
  readonly labels: LabelPairs
  /** The labels from encodeLabels. Encoding takes long, so a sender of many requests encodes the labels of a series once. */
  readonly encodedLabels?: Uint8Array
  /** A value of 'stale' is the marker that ends a series. */
  readonly samples: readonly { readonly timeMs: number; readonly value: number | 'stale' }[]
  /** Number of empty histograms and exemplars. */
  readonly histograms?: number
  readonly exemplars?: number
}

/** Encodes labels as version 1 does. */
export const encodeLabels = (labels: LabelPairs): Uint8Array =>
  Buffer.concat(labels.map(([name, value]) => field(1, Buffer.concat([text(1, name), text(2, value)]))))

/** Encodes the body of a request: protobuf in a snappy block. */
export function encodeRequest(
  series: readonly SeriesToWrite[],
  format: MessageFormat = 'remote-write-1',
): Uint8Array {
  const message = format === 'remote-write-1' ? messageV1(series) : messageV2(series)
  return compress(Buffer.concat(message))
}

export const contentTypes: Record<MessageFormat, string> = {
  'remote-write-1': 'application/x-protobuf',
  'remote-write-2': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
}

function messageV1(series: readonly SeriesToWrite[]): Uint8Array[] {
  return series.map(({ labels, encodedLabels = encodeLabels(labels), samples, exemplars, histograms }) => {
    const others = [...empty(3, exemplars), ...empty(4, histograms)]
    return field(1, Buffer.concat([encodedLabels, ...samples.map(sampleField), ...others]))
  })
}

function messageV2(series: readonly SeriesToWrite[]): Uint8Array[] {
  const symbols = new Map([['', 0]])
  const refOf = (symbol: string): number => {
    const ref = symbols.get(symbol) ?? symbols.size
    symbols.set(symbol, ref)
    return ref
  }
  const fields = series.map(({ labels, samples, exemplars, histograms }) => {
    const refs = labels.flatMap(([name, value]) => varint(refOf(name)).concat(varint(refOf(value))))
    const others = [...empty(3, histograms), ...empty(4, exemplars)]
    return field(5, Buffer.concat([field(1, Uint8Array.from(refs)), ...samples.map(sampleField), ...others]))
  })
  return [...[...symbols.keys()].map((symbol) => text(4, symbol)), ...fields]
}

function sampleField({ timeMs, value }: SeriesToWrite['samples'][number]): Uint8Array {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0x09
  if (value === 'stale') bytes.set(staleMarker, 1)
  else bytes.writeDoubleLE(value, 1)
  return field(2, Buffer.concat([bytes, Uint8Array.from([0x10, ...varint(timeMs)])]))
}

/** 0x7ff0000000000002, lowest byte first. */
const staleMarker = [2, 0, 0, 0, 0, 0, 0xf0, 0x7f]

const empty = (number: number, count = 0): Uint8Array[] =>
  Array.from({ length: count }, () => field(number, new Uint8Array()))

const text = (number: number, value: string): Uint8Array => field(number, Buffer.from(value))

const field = (number: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([number * 8 + 2, ...varint(bytes.length)]), bytes])

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return bytes
}
