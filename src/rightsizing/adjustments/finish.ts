import type { RecommendationContext } from '../context.ts'
import type { Resource } from '../input.ts'
import { resourceNames } from '../phrases.ts'
import type { ResourceRecommendation, Workload } from '../workload.ts'
import type { DraftBand } from './draft.ts'
import { type RequestAndLimit, recommendedLimit } from './limits.ts'
import { reasonNotToChange } from './worth-changing.ts'

interface Evidence {
  /** The highest seen. */
  readonly peak: number
  /** Killed or held back for want of it. */
  readonly suffers: boolean
}

/** Turns a draft into the final recommendation: rounded, with its limit, and whether a change is worth the effort. */
export function finishRecommendation(
  resource: Resource,
  draft: DraftBand,
  { peak, suffers }: Evidence,
  workload: Workload,
  { prices, round = exact }: RecommendationContext,
): ResourceRecommendation {
  const set = requestAndLimitOf(resource, workload)
  const target = round(resource, draft.target)
  const pricePerHourUsd = resource === 'cpu' ? prices.corePerHourUsd : prices.gibPerHourUsd
  const usdPerDay = (target - (set.request ?? 0)) * pricePerHourUsd * 24 * (workload.replicas ?? 1)
  const reason = reasonNotToChange({ ...draft, from: set.request, to: target, usdPerDay, suffers })
  const [lower, upper] = [round(resource, draft.lower), round(resource, draft.upper)]
  if (reason !== undefined && target !== set.request) {
    draft.target = set.request!
    draft.tell('worth', `${resourceNames[resource]} stays as it is: ${reason}.`)
  }
  // After a kill the request is above the old limit already; keeping the proportion as well would multiply it.
  const killed = resource === 'memory' && suffers
  const limit = killed && set.limit !== undefined ? target : recommendedLimit(set, target, peak)
  return {
    current: set.request ?? null,
    target,
    lower,
    upper,
    limit: limit === undefined ? null : round(resource, limit),
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
