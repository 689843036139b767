import type { LimitRule } from '../constraints/size-constraints.ts'
import type { Resource } from '../input.ts'
import { coresText } from '../phrases.ts'
import type { DraftBand } from './draft.ts'

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

interface LimitEvidence {
  readonly target: number
  readonly peak: number
  readonly suffers: boolean
  readonly throttledShare?: number
  readonly high?: number | null
}

/** The limit for a request that stays or changes, and whether it should change even where the request stays. */
export function chooseLimit(
  resource: Resource,
  now: RequestAndLimit,
  request: number,
  { target, peak, suffers, throttledShare = 0, high }: LimitEvidence,
  rule: LimitRule | undefined,
  draft: DraftBand,
): { readonly limit: number | undefined; readonly changesLimit: boolean } {
  // After a kill the request is above the old limit already; keeping the proportion as well would multiply it.
  if (resource === 'memory')
    return {
      limit: suffers && now.limit !== undefined ? target : recommendedLimit(now, target, peak),
      changesLimit: false,
    }
  if (rule === 'none') {
    if (now.limit !== undefined) draft.tell('limits', 'CPU: no limit, as a rule demands (limits=none).')
    return { limit: undefined, changesLimit: now.limit !== undefined }
  }
  const heldBack = suffers && now.limit !== undefined ? now.limit * (1 + throttledShare) : 0
  if (rule === 'quantile') {
    const limit = Math.max(request, high ?? peak, heldBack)
    draft.tell('limits', `CPU: a limit of ${coresText(limit)} as a rule demands (limits=quantile).`)
    return { limit, changesLimit: limit !== now.limit }
  }
  const limit = recommendedLimit(now, target, peak)
  if (limit === undefined || proportionOf(now) <= 1 || limit >= heldBack)
    return { limit, changesLimit: false }
  draft.tell(
    'throttling',
    `CPU: the limit of ${coresText(now.limit!)} holds it back and is raised to ${coresText(heldBack)}.`,
  )
  return { limit: heldBack, changesLimit: true }
}
