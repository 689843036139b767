/** Cores or GiB; undefined where none is set. */
export interface RequestAndLimit {
  readonly request: number | undefined
  readonly limit: number | undefined
}

/**
 * A limit keeps its proportion to the request, since its owners chose that room; one equal to the request stays equal, or
 * the pod would lose its class. Where the limit is above the request it also stays above the highest usage seen.
 * No limit stays no limit: adding one could only throttle or kill. Request 1, limit 2, recommended 0.4, peak 0.9 -> 0.9.
 */
export function recommendedLimit(
  now: RequestAndLimit,
  recommendedRequest: number,
  peak: number | undefined,
): number | undefined {
  if (now.limit === undefined) return undefined
  const proportion = proportionOf(now)
  if (proportion <= 1) return recommendedRequest
  return Math.max(recommendedRequest * proportion, Math.min(peak ?? 0, now.limit))
}

/** Kubernetes takes the limit for the request where only a limit is set. */
export const proportionOf = ({ request, limit }: RequestAndLimit): number =>
  limit === undefined || request === undefined || request <= 0 ? 1 : Math.max(1, limit / request)
