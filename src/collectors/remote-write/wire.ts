import { MalformedRequest } from './limits.ts'

/** A cursor over protobuf. Fields of other numbers are skipped; groups, which proto3 does not have, are refused. */
export class Wire {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly #buffer: Buffer
  at = 0
  #skipped = 0
  readonly #maxSkipped: number

  /** A request that skips more fields is rejected: none of them is used, and each takes time. */
  constructor(bytes: Uint8Array, maxSkipped: number) {
    this.bytes = bytes
    this.#maxSkipped = maxSkipped
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Whole up to 2^53; what is negative as int64 comes back negative. */
  varint(end: number): number {
    const { bytes } = this
    let byte = this.at < end ? bytes[this.at++]! : this.#cut()
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.at < end ? bytes[this.at++]! : this.#cut()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    for (let scale = 2 ** 28, index = 4; index < 10; index++, scale *= 128) {
      byte = this.at < end ? bytes[this.at++]! : this.#cut()
      value += (byte & 127) * scale
      if (byte < 128) return value >= 2 ** 63 ? value - 2 ** 64 : value
    }
    throw new MalformedRequest('not protobuf: a number has more than 10 bytes')
  }

  /** Length of a field that must hold bytes; afterwards the cursor is at its first. */
  length(tag: number, end: number): number {
    if ((tag & 7) !== 2)
      throw new MalformedRequest(`not the expected protobuf: field ${tag >>> 3} has wire type ${tag & 7}`)
    const length = this.varint(end)
    if (length < 0 || length > end - this.at)
      throw new MalformedRequest('not protobuf, or cut short: a field is longer than what holds it')
    return length
  }

  text(length: number): string {
    this.at += length
    return length === 0 ? '' : this.#buffer.toString('utf8', this.at - length, this.at)
  }

  skip(tag: number, end: number): void {
    if (tag >>> 3 === 0) throw new MalformedRequest('not protobuf: field 0')
    if (++this.#skipped > this.#maxSkipped)
      throw new MalformedRequest(`the request has more than ${this.#maxSkipped} fields that are not read`)
    const type = tag & 7
    if (type === 0) this.varint(end)
    else if (type === 1) this.at += 8
    else if (type === 2) {
      const length = this.length(tag, end)
      this.at += length
    } else if (type === 5) this.at += 4
    else throw new MalformedRequest(`not the expected protobuf: wire type ${type}`)
    if (this.at > end) this.#cut()
  }

  #cut(): never {
    throw new MalformedRequest('not protobuf, or cut short')
  }
}

const nanHigh = 0x7ff00000

/** Prometheus marks the end of a series by this one NaN, 0x7ff0000000000002. */
export const isStaleMarker = (view: DataView, at: number): boolean =>
  view.getUint32(at, true) === 2 && view.getUint32(at + 4, true) === nanHigh
