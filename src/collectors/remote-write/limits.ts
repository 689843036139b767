/**
 * What one request may hold. A series beyond the limits of a series is left out, a request beyond those of a request is
 * refused as a whole. Prometheus sends 2,000 samples at a time unless configured otherwise, vmagent 10,000.
 */
export interface DecodeLimits {
  /** What a body may unpack to. */
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
  /** Fields that are passed over, unknown ones above all. */
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

/** Counts what a request holds while it is read; throws MalformedRequest, which names the limit, where it is too much. */
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

/** A request that can never be taken, however often it is sent. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
}
