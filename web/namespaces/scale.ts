interface Band {
  readonly Current: number | null
  readonly Recommended: number | null
  readonly UpperBound: number | null
}

interface Resource {
  readonly Requests: Band
  readonly Limits: Band
  readonly Usage: { readonly Max: number } | null
}

/** A line is left out if it is more than this many times the largest of the values that must be shown. */
const farthest = 3

export interface Scale {
  readonly most: number
  /** Round values from 0 on, few enough to fit side by side. */
  readonly ticks: readonly number[]
}

/**
 * Returns the axis. It covers usage, recommendations and the current request, and other lines unless they are so far
 * off that the rest would be too small to read.
 */
export function scaleOf({ Requests, Limits, Usage }: Resource): Scale {
  const needed = known([Usage?.Max, Requests.Current, Requests.Recommended, Limits.Recommended])
  const inner = Math.max(...needed, 1e-6)
  const wanted = known([Requests.UpperBound, Limits.Current])
  const near = wanted.filter((value) => value <= inner * farthest)
  const most = Math.max(inner, ...near) * 1.04
  return { most, ticks: ticksTo(most) }
}

const maxTicks = 4

/** Returns powers of two, as usual for memory: 4.16 -> 0, 1, 2, 3, 4; 0.9 -> 0, 0.25, 0.5, 0.75 */
export function ticksTo(most: number): number[] {
  const step = 2 ** Math.ceil(Math.log2(most / (maxTicks + 1)))
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step)
}

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined)
