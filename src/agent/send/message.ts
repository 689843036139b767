import { compress } from '../../ingest/remote-write/snappy.ts'

/**
 * A remote write 1.0 request, written into one buffer that is reused. Labels are encoded once per series:
 *
 *     WriteRequest: 0a <length> TimeSeries, repeated
 *     TimeSeries:   labels (0a <length> Label, repeated), then samples (12 <length> Sample, repeated)
 *     Label:        0a <length> name, 12 <length> value
 *     Sample:       09 <double, lowest byte first>, 10 <milliseconds since 1970, varint>
 *
 * github.com/prometheus/prometheus/blob/main/prompb/remote.proto, .../types.proto
 */
export class MessageBuffer {
  #bytes = Buffer.allocUnsafe(64 << 10)
  #length = 0

  clear(): void {
    this.#length = 0
  }

  /** Adds a series with one sample, or with two if an earlier one is given. */
  series(labels: Buffer, timeMs: number, value: number, earlierMs?: number, earlier?: number): void {
    const size = sampleSize(timeMs) + (earlierMs === undefined ? 0 : sampleSize(earlierMs))
    this.#reserve(labels.length + size + 8)
    this.#bytes[this.#length++] = 0x0a
    this.#varint(labels.length + size)
    labels.copy(this.#bytes, this.#length)
    this.#length += labels.length
    if (earlierMs !== undefined) this.#sample(earlierMs, earlier ?? 0)
    this.#sample(timeMs, value)
  }

  /** Adds a series with the samples from index `from` up to but excluding `to`. */
  samples(labels: Buffer, timesMs: Float64Array, values: Float64Array, from: number, to: number): void {
    let size = 0
    for (let index = from; index < to; index++) size += sampleSize(timesMs[index]!)
    this.#reserve(labels.length + size + 8)
    this.#bytes[this.#length++] = 0x0a
    this.#varint(labels.length + size)
    labels.copy(this.#bytes, this.#length)
    this.#length += labels.length
    for (let index = from; index < to; index++) this.#sample(timesMs[index]!, values[index]!)
  }

  get length(): number {
    return this.#length
  }

  compressed(): Uint8Array {
    return compress(this.#bytes.subarray(0, this.#length))
  }

  #sample(timeMs: number, value: number): void {
    this.#bytes[this.#length++] = 0x12
    this.#bytes[this.#length++] = sampleSize(timeMs) - 2
    this.#bytes[this.#length++] = 0x09
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
    this.#bytes[this.#length++] = 0x10
    this.#varint(timeMs)
  }

  #varint(value: number): void {
    this.#length = writeVarint(this.#bytes, this.#length, value)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Encodes labels sorted by name, as the protocol requires. Empty labels mean the same as missing ones and are left out. */
export function encodeLabels(labels: Readonly<Record<string, string>>): Buffer {
  const fields = Object.entries(labels)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) =>
      field(0x0a, Buffer.concat([field(0x0a, bytesOf(name)), field(0x12, bytesOf(value))])),
    )
  return Buffer.concat(fields)
}

/** Receivers refuse very long labels, while the path of a cgroup may have 4,096 bytes. */
const maxLabelBytes = 2048
const bytesOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return bytes.length <= maxLabelBytes
    ? bytes
    : Buffer.from(bytes.subarray(0, maxLabelBytes - 3).toString('utf8'))
}

function field(tag: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head[0] = tag
  return Buffer.concat([head.subarray(0, writeVarint(head, 1, bytes.length)), bytes])
}

/** Size of a sample: tag and length (2), tag and double (9), tag (1) and time. */
const sampleSize = (timeMs: number): number => 2 + 9 + 1 + varintSize(timeMs)

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}

function writeVarint(bytes: Buffer, at: number, value: number): number {
  let to = at
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[to++] = (rest % 128) | 128
  bytes[to++] = rest
  return to
}
