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

/** How far beyond everything else a line may lie and still be in the picture. */
const farthest = 3

/** The end of the axis: all of usage and recommendations, and what is set now unless it lies so far off that the rest would be a sliver. */
export function scaleOf({ Requests, Limits, Usage }: Resource): { most: number } {
  const needed = known([Usage?.Max, Requests.Recommended, Limits.Recommended])
  const inner = Math.max(...needed, 1e-6)
  const wanted = known([Requests.UpperBound, Requests.Current, Limits.Current])
  const near = wanted.filter((value) => value <= inner * farthest)
  return { most: Math.max(inner, ...near) * 1.04 }
}

const known = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined)
