/** A cursor over protobuf. Unknown fields can be skipped; groups, which proto3 does not have, are rejected. */
export class Wire {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly #buffer: Buffer
  at = 0
  #skipped = 0
  readonly #maxSkipped: number

  /** Skipped fields have no use, and each takes time, so a request with more than `maxSkipped` is rejected. */
  constructor(bytes: Uint8Array, maxSkipped: number) {
    this.bytes = bytes
    this.#maxSkipped = maxSkipped
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Exact up to 2^53. A number that is negative as int64 is returned as negative. */
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

  /** Returns the length of a field that must contain bytes, and moves the cursor to its first byte. */
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

/** Prometheus marks the end of a series with this special NaN, 0x7ff0000000000002. */
export const isStaleMarker = (view: DataView, at: number): boolean =>
  view.getUint32(at, true) === 2 && view.getUint32(at + 4, true) === nanHigh

/**
 * Limits of one request. A series that exceeds a limit for series is left out, and a request that exceeds a limit for
 * requests is rejected as a whole. Prometheus sends 2,000 samples at a time unless configured otherwise, vmagent 10,000.
 */
export interface DecodeLimits {
  /** Size of the uncompressed body. */
  readonly maxBytes: number
  /** Size of one label, name and value together. */
  readonly maxLabelBytes: number
  readonly maxLabels: number
  readonly maxSeries: number
  /** Histograms and exemplars count as samples. */
  readonly maxSamples: number
  readonly maxSymbols: number
  /** Labels of all series together, and their bytes; a symbol counts each time a series refers to it. */
  readonly maxLabelsInAll: number
  readonly maxLabelBytesInAll: number
  /** Number of fields that are skipped, mostly unknown ones. */
  readonly maxSkippedFields: number
}

export const defaultLimits: DecodeLimits = {
  maxBytes: 32 << 20,
  maxLabelBytes: 8192,
  maxLabels: 128,
  maxSeries: 50_000,
  maxSamples: 500_000,
  maxSymbols: 500_000,
  maxLabelsInAll: 2_000_000,
  maxLabelBytesInAll: 64 << 20,
  maxSkippedFields: 2_000_000,
}

/** Limits for journal entries, which were already checked against the limits of the release that accepted them. */
export const journalLimits: DecodeLimits = {
  ...defaultLimits,
  maxBytes: 2 * defaultLimits.maxBytes,
  maxSeries: Number.POSITIVE_INFINITY,
  maxSamples: Number.POSITIVE_INFINITY,
  maxSymbols: Number.POSITIVE_INFINITY,
  maxLabelsInAll: Number.POSITIVE_INFINITY,
  maxLabelBytesInAll: Number.POSITIVE_INFINITY,
  maxSkippedFields: Number.POSITIVE_INFINITY,
}

/** Throws MalformedRequest, which names the limit, if a limit is exceeded. */
export class RequestCounts {
  readonly limits: DecodeLimits
  #series = 0
  #samples = 0
  #symbols = 0
  #labels = 0
  #labelBytes = 0

  constructor(limits: DecodeLimits) {
    this.limits = limits
  }

  addSeries(): void {
    if (++this.#series > this.limits.maxSeries) throw tooMany('series', this.limits.maxSeries)
  }

  addSample(): void {
    if (++this.#samples > this.limits.maxSamples)
      throw tooMany('samples, histograms and exemplars', this.limits.maxSamples)
  }

  addSymbol(): void {
    if (++this.#symbols > this.limits.maxSymbols) throw tooMany('symbols', this.limits.maxSymbols)
  }

  addLabels(labels: number, bytes: number): void {
    this.#labels += labels
    this.#labelBytes += bytes
    if (this.#labels > this.limits.maxLabelsInAll) throw tooMany('labels', this.limits.maxLabelsInAll)
    if (this.#labelBytes > this.limits.maxLabelBytesInAll)
      throw tooMany('bytes of labels', this.limits.maxLabelBytesInAll)
  }
}

const tooMany = (what: string, most: number) =>
  new MalformedRequest(`the request has more than ${most} ${what}; send it in smaller parts`)

/** A request that can never be accepted, however often it is sent. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
}
