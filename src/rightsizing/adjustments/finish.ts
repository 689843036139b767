import type { Context } from '../context.ts'
import type { Resource } from '../input.ts'
import { nameOf } from '../phrases.ts'
import type { ResourceRecommendation, Workload } from '../workload.ts'
import type { Draft } from './draft.ts'
import { recommendedLimit, type Setting } from './limits.ts'
import { whyNot } from './worth-changing.ts'

export interface Evidence {
  /** The highest seen. */
  readonly peak: number
  /** Killed or held back for want of it. */
  readonly suffers: boolean
}

/** From a draft to what is said: rounded, with its limit, and whether it is worth anybody's time. */
export function finish(
  resource: Resource,
  draft: Draft,
  { peak, suffers }: Evidence,
  workload: Workload,
  { prices, round = exact }: Context,
): ResourceRecommendation {
  const set = settingOf(resource, workload)
  const target = round(resource, draft.target)
  const pricePerHourUsd = resource === 'cpu' ? prices.corePerHourUsd : prices.gibPerHourUsd
  const usdPerDay = (target - (set.request ?? 0)) * pricePerHourUsd * 24 * (workload.replicas ?? 1)
  const reason = whyNot({ from: set.request, to: target, usdPerDay, suffers })
  const [lower, upper] = [round(resource, draft.lower), round(resource, draft.upper)]
  if (reason !== undefined && target !== set.request) {
    draft.target = set.request!
    draft.tell('worth', `${nameOf[resource]} stays as it is: ${reason}.`)
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

export const settingOf = (resource: Resource, { current = {} }: Pick<Workload, 'current'>): Setting =>
  resource === 'cpu'
    ? { request: current.cpuRequest, limit: current.cpuLimit }
    : { request: current.memoryRequest, limit: current.memoryLimit }

const exact = (_: Resource, value: number): number => value
