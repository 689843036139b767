import type { MessageFormat } from './decode.ts'
import { compress } from './snappy.ts'

export interface HostileBody {
  readonly name: string
  readonly format: MessageFormat
  readonly body: Uint8Array
}

/** Requests that are small and were once expensive: for the tests, the fuzzer and bench/hostile-write.ts. */
export function hostileBodies(timeMs: number): HostileBody[] {
  const v1 = (name: string, message: Uint8Array) => hostile(name, 'remote-write-1', message)
  const v2 = (name: string, message: Uint8Array) => hostile(name, 'remote-write-2', message)
  return [
    v1('label tag of two bytes', twoByteLabelTag(1 << 20)),
    v1('label after samples, 1,000 times', field(1, labelsBetweenSamples(1000))),
    v1(
      '16.7 million empty samples',
      field(1, Buffer.concat([usefulLabels(), repeated([0x12, 0], 16_700_000)])),
    ),
    v1('16.7 million empty series', repeated([0x0a, 0], 16_700_000)),
    v1('16.7 million empty labels', field(1, repeated([0x0a, 0], 16_700_000))),
    v1('16.7 million unknown fields', repeated([0x7a, 0], 16_700_000)),
    v1('16.7 million exemplars', field(1, repeated([0x1a, 0], 16_700_000))),
    v1(
      '100,000 series of 60 empty labels',
      repeated([...field(1, repeated([0x0a, 4, 0x0a, 0, 0x12, 0], 50))], 100_000),
    ),
    v2('16.7 million empty symbols', repeated([0x22, 0], 16_700_000)),
    v2('16.7 million empty series', repeated([0x2a, 0], 16_700_000)),
    v2('33 million label references', field(5, field(1, new Uint8Array(33_000_000)))),
    v2('long symbols named by many series', longSymbols(8000, 100_000)),
    v1('40,000 series of one place in a table', collidingSeries(40_000, timeMs)),
  ]
}

const hostile = (name: string, format: MessageFormat, message: Uint8Array): HostileBody => ({
  name,
  format,
  body: compress(message),
})

/** A label whose tag 10 is written in two bytes, followed by an unknown field. */
export const twoByteLabelTag = (unknownBytes: number): Uint8Array =>
  field(1, Buffer.concat([Uint8Array.of(0x8a, 0, 0), field(9, new Uint8Array(unknownBytes))]))

function labelsBetweenSamples(count: number): Uint8Array {
  const pair = Buffer.concat([label('a', 'b'), field(2, Uint8Array.of(0x10, 5))])
  return Buffer.concat([...Array.from({ length: count }, () => pair), field(9, new Uint8Array(1 << 20))])
}

/** Every series refers to the same few long symbols in a different order, so that each is new. */
function longSymbols(symbolBytes: number, count: number): Uint8Array {
  const symbols = Array.from({ length: 16 }, (_, n) => field(4, Buffer.alloc(symbolBytes, 97 + n)))
  const series = Array.from({ length: count }, (_, n) => {
    const refs = Uint8Array.from({ length: 240 }, (_, place) => (place < 20 ? (n >> place) & 1 : place % 16))
    return field(5, Buffer.concat([field(1, refs), field(2, Uint8Array.of(0x10, 5))]))
  })
  return Buffer.concat([...symbols, ...series])
}

/**
 * Series that collided in the table when the hash of labels had no secret yet: with 131,072 places, the search for all of
 * them began within the same 64.
 */
export function collidingSeries(count: number, timeMs: number): Uint8Array {
  const series: Uint8Array[] = []
  const bytes = new Uint8Array([0x0a, 14, 0x0a, 1, 97, 0x12, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const view = new DataView(bytes.buffer)
  const sample = field(2, Buffer.from([0x10, ...varint(timeMs)]))
  for (let first = 1; series.length < count; first++) {
    view.setInt32(8, Math.imul(first, 0x9e3779b1), true)
    for (let second = 0; second < 1 << 20 && series.length < count; second++) {
      view.setInt32(12, second, true)
      if ((hashWithoutSecret(view, 0, 16) & 0x1ffff) < 64)
        series.push(field(1, Buffer.concat([bytes, sample])))
    }
  }
  return Buffer.concat(series)
}

/** The lower half of the former hash of labels. */
function hashWithoutSecret(view: DataView, start: number, end: number): number {
  let high = 1
  let low = end - start
  for (let at = start; at < end; at += 4) {
    const word = view.getInt32(at, true)
    high = Math.imul(high ^ word, 0x9e3779b1)
    high ^= high >>> 15
    low = Math.imul(low + word, 0x85ebca77)
    low = (low << 13) | (low >>> 19)
  }
  high = Math.imul(high ^ (high >>> 16), 0x21f0aaad)
  low = Math.imul(low ^ (low >>> 15), 0x735a2d97)
  high = Math.imul(high ^ (high >>> 15) ^ low, 0x735a2d97)
  low = Math.imul(low ^ (low >>> 16) ^ high, 0x21f0aaad)
  return (low ^ (low >>> 16)) >>> 0
}

export const label = (name: string, value: string): Uint8Array =>
  field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]))

const usefulLabels = () =>
  Buffer.concat([
    label('__name__', 'container_memory_working_set_bytes'),
    label('container', 'app'),
    label('namespace', 'shop'),
    label('pod', 'hostile'),
  ])

export const field = (number: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([number * 8 + 2, ...varint(bytes.length)]), bytes])

export const repeated = (bytes: readonly number[], count: number): Uint8Array =>
  Buffer.alloc(bytes.length * count, Uint8Array.from(bytes))

export function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return bytes
}
