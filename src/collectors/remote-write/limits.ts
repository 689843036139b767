export interface DecodeLimits {
  /** What a body may unpack to. */
  readonly maxBytes: number
  /** Of a label, name and value together; a series with a longer one is left out. */
  readonly maxLabelBytes: number
  readonly maxLabels: number
}

export const defaultLimits: DecodeLimits = { maxBytes: 32 << 20, maxLabelBytes: 8192, maxLabels: 128 }
