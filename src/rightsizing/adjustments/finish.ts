import { isOutside } from '../constraints/apply-constraints.ts'
import type { RecommendationContext } from '../context.ts'
import type { Resource } from '../input.ts'
import { resourceNames } from '../phrases.ts'
import type { ResourceRecommendation, Workload } from '../workload.ts'
import type { DraftBand } from './draft.ts'
import { chooseLimit, type RequestAndLimit } from './limits.ts'
import { reasonNotToChange } from './worth-changing.ts'

interface Evidence {
  /** The highest seen. */
  readonly peak: number
  /** Killed or held back for want of it. */
  readonly suffers: boolean
  /** Share of the periods of the CPU limit that were throttled. */
  readonly throttledShare?: number
  /** A high quantile of usage, for limits that are set by it. */
  readonly high?: number | null
}

/** Turns a draft into the final recommendation: rounded, with its limit, and whether a change is worth the effort. */
export function finishRecommendation(
  resource: Resource,
  draft: DraftBand,
  evidence: Evidence,
  workload: Workload,
  { prices, round = exact, constraints = {} }: RecommendationContext,
): ResourceRecommendation {
  const set = requestAndLimitOf(resource, workload)
  const target = round(resource, draft.target)
  const pricePerHourUsd = resource === 'cpu' ? prices.corePerHourUsd : prices.gibPerHourUsd
  const usdPerDay = (target - (set.request ?? 0)) * pricePerHourUsd * 24 * (workload.replicas ?? 1)
  const { suffers } = evidence
  const reason = isOutside(constraints, resource, set.request)
    ? undefined
    : reasonNotToChange({ ...draft, from: set.request, to: target, usdPerDay, suffers })
  const [lower, upper] = [round(resource, draft.lower), round(resource, draft.upper)]
  if (reason !== undefined && target !== set.request) {
    draft.target = set.request!
    draft.tell('worth', `${resourceNames[resource]} stays as it is: ${reason}.`)
  }
  const { limit, changesLimit } = chooseLimit(
    resource,
    set,
    reason === undefined ? target : set.request!,
    { ...evidence, target },
    constraints.limits,
    draft,
  )
  return {
    current: set.request ?? null,
    target,
    lower,
    upper,
    limit: limit === undefined ? null : round(resource, limit),
    changesLimit,
    worthChanging: reason === undefined,
    steps: draft.steps,
  }
}

export const requestAndLimitOf = (
  resource: Resource,
  { current = {} }: Pick<Workload, 'current'>,
): RequestAndLimit =>
  resource === 'cpu'
    ? { request: current.cpuRequest, limit: current.cpuLimit }
    : { request: current.memoryRequest, limit: current.memoryLimit }

const exact = (_: Resource, value: number): number => value
