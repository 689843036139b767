import type { MessageFormat } from './decode.ts'
import { compress } from './snappy.ts'
import { Wire } from './wire.ts'

/** Divides requests, in memory that it reuses. */
export class RequestSplitter {
  #memory: Buffer | undefined

  /**
   * Divides a decoded request. The series of each part become a message of version 1, which contains labels in full, so
   * that no part needs the symbols of the whole. `ranges` are those of a batch: the number of a series, and its start and
   * end in the message.
   */
  split(
    message: Uint8Array,
    format: MessageFormat,
    ranges: readonly number[],
    partOf: (series: number) => number,
  ): Map<number, Uint8Array> {
    const parts = new Map<number, number[]>()
    for (let index = 0; index < ranges.length; index += 3)
      parts.getOrInsertComputed(partOf(ranges[index]!), () => []).push(ranges[index + 1]!, ranges[index + 2]!)
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    const symbols = format === 'remote-write-2' ? symbolsOf(message) : undefined
    const joined = (part: readonly number[]) =>
      symbols === undefined ? this.#copied(bytes, part) : convertedSeries(bytes, part, symbols)
    return new Map([...parts].map(([part, series]) => [part, compress(joined(series))]))
  }

  /** Returns the bytes of series, given by their starts and ends. They are valid until the next call. */
  #copied(message: Buffer, series: readonly number[]): Uint8Array {
    const memory = this.#memoryFor(message.length)
    let to = 0
    for (let index = 0; index < series.length; index += 2)
      to += message.copy(memory, to, series[index], series[index + 1])
    return memory.subarray(0, to)
  }

  /** The parts of large requests get memory of their own. */
  #memoryFor(bytes: number): Buffer {
    if (bytes > reusedBytes) return Buffer.allocUnsafeSlow(bytes)
    this.#memory ??= Buffer.allocUnsafeSlow(reusedBytes)
    return this.#memory
  }
}

const reusedBytes = 4 << 20

function convertedSeries(message: Buffer, series: readonly number[], symbols: readonly Uint8Array[]) {
  const converted: Uint8Array[] = []
  for (let index = 0; index < series.length; index += 2)
    converted.push(seriesOfVersion1(message.subarray(series[index], series[index + 1]), symbols))
  return Buffer.concat(converted)
}

/** The bytes of all symbols, which are names and values of labels. */
function symbolsOf(message: Uint8Array): Uint8Array[] {
  const wire = new Wire(message, Number.POSITIVE_INFINITY)
  const symbols: Uint8Array[] = []
  while (wire.at < message.length) {
    const tag = wire.varint(message.length)
    if (tag >>> 3 !== 4) {
      wire.skip(tag, message.length)
      continue
    }
    const length = wire.length(tag, message.length)
    symbols.push(message.subarray(wire.at, wire.at + length))
    wire.at += length
  }
  return symbols
}

/** Samples are the same in both versions; histograms and exemplars, which are not used, are left out. */
function seriesOfVersion1(field: Uint8Array, symbols: readonly Uint8Array[]): Uint8Array {
  const wire = new Wire(field, Number.POSITIVE_INFINITY)
  const end = field.length
  wire.length(wire.varint(end), end)
  const refs: number[] = []
  const samples: Uint8Array[] = []
  while (wire.at < end) {
    const start = wire.at
    const tag = wire.varint(end)
    if (tag === 0x0a) {
      const stop = wire.length(tag, end) + wire.at
      while (wire.at < stop) refs.push(wire.varint(stop))
    } else if (tag === 0x08) refs.push(wire.varint(end))
    else {
      wire.skip(tag, end)
      if (tag >>> 3 === 2) samples.push(field.subarray(start, wire.at))
    }
  }
  const labels: Uint8Array[] = []
  for (let index = 0; index < refs.length; index += 2) {
    const [name, value] = [symbols[refs[index]!]!, symbols[refs[index + 1]!]!]
    labels.push(bytesField(1, [bytesField(1, [name]), bytesField(2, [value])]))
  }
  return bytesField(1, [...labels, ...samples])
}

function bytesField(number: number, contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, { length }) => sum + length, 0)
  const head = [number * 8 + 2]
  let rest = length
  for (; rest > 127; rest = Math.floor(rest / 128)) head.push((rest % 128) | 128)
  head.push(rest)
  return Buffer.concat([Uint8Array.from(head), ...contents])
}
