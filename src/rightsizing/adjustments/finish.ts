import type { SizeConstraints } from '../constraints/sizing-rules.ts'
import type { SizingOptions } from '../context.ts'
import type { Resource } from '../input.ts'
import { railedLimit } from '../rails/apply-rails.ts'
import { type RailFacts, startingCores } from '../rails/rail.ts'
import type { RecommendationStep, ResourceRecommendation, Workload } from '../workload.ts'
import { type DraftBand, isOutside, resourceNames, sizeText } from './band.ts'
import { proportionOf, type RequestAndLimit, requestAndLimitOf } from './request-and-limit.ts'

interface Evidence {
  readonly peak: number
  /** Whether the container was killed for lack of memory, or throttled in too many periods. */
  readonly isStarved: boolean
  /** Share of the periods of the CPU limit that were throttled. */
  readonly throttledShare?: number
  readonly high?: number | null
  /** What guard rails keep the limit by; limits that a rule sets are not kept by them. */
  readonly facts?: RailFacts
}

type SizedSubject = Pick<Workload, 'current' | 'replicas'>
type FinishContext = Pick<SizingOptions, 'prices' | 'round' | 'constraints'>

/** Turns a draft into the final recommendation: rounded, with its limit, and whether a change is worth the effort. */
export function finishRecommendation(
  resource: Resource,
  draft: DraftBand,
  evidence: Evidence,
  subject: SizedSubject,
  context: FinishContext,
): ResourceRecommendation {
  const { round = exact, constraints = {} } = context
  const current = requestAndLimitOf(resource, subject)
  const target = round(resource, draft.target)
  const reason = draft.mustChange ? undefined : reasonToKeep(resource, draft, evidence, subject, context)
  const [lower, upper] = [round(resource, draft.lower), round(resource, draft.upper)]
  if (reason !== undefined && target !== current.request) {
    draft.target = current.request!
    draft.addStep('worth', `${resourceNames[resource]} request stays as it is: ${reason}.`)
  }
  const request = reason === undefined ? target : current.request!
  const { limit, changesLimit, steps } = chooseLimit(
    resource,
    current,
    { ...evidence, target, request },
    constraints,
  )
  for (const { by, says, figures } of steps) draft.addStep(by, says, figures)
  return {
    current: current.request ?? null,
    target,
    lower,
    upper,
    limit: limit === undefined ? null : round(resource, limit),
    changesLimit,
    worthChanging: reason === undefined,
    steps: draft.steps,
  }
}

export function reasonToKeep(
  resource: Resource,
  draft: DraftBand,
  { isStarved }: Pick<Evidence, 'isStarved'>,
  subject: SizedSubject,
  { prices, round = exact, constraints = {} }: FinishContext,
): string | undefined {
  const { request, limit } = requestAndLimitOf(resource, subject)
  if (isOutside(constraints, resource, request)) return undefined
  // The limit is about to be lowered to the request.
  if (constraints.qos === 'guaranteed' && limit !== request && (request ?? 0) < draft.covering)
    return undefined
  // A request that is finer than sizes are rounded to is not raised by rounding.
  const target = draft.target === request ? request : round(resource, draft.target)
  const pricePerHourUsd = resource === 'cpu' ? prices.corePerHourUsd : prices.gibPerHourUsd
  const usdPerDay = (target - (request ?? 0)) * pricePerHourUsd * 24 * (subject.replicas ?? 1)
  return reasonNotToChange({ ...draft, from: request, to: target, usdPerDay, isStarved })
}

const exact = (_: Resource, value: number): number => value

/** Smaller changes are noise, and every change restarts a pod. */
const minRaise = 0.05
const minCut = 0.1
const minUsdPerDay = 0.01

interface SizeChange {
  /** Current request in cores or GiB; undefined if there is none. */
  readonly from: number | undefined
  readonly to: number
  /**
   * A current request between these two is kept, because nearly the same risk asks for it. NaN if there is no such
   * range.
   */
  readonly keptFrom: number
  readonly keptTo: number
  /** Change of cost over all replicas; negative if the change saves money. */
  readonly usdPerDay: number
  /** The container was killed or throttled for lack of the resource. No raise is too small then. */
  readonly isStarved: boolean
}

/**
 * Returns why a change is not proposed, or undefined if it is. A stricter risk never leaves a smaller request than a
 * looser one.
 */
export function reasonNotToChange(change: SizeChange): string | undefined {
  const { from, to, keptFrom, keptTo, usdPerDay, isStarved } = change
  if (from === undefined || !(from > 0)) return undefined
  if (isStarved && to > from) return undefined
  if (to >= from && to < from * (1 + minRaise) * (1 - 1e-9))
    return 'an increase of less than 5% is not proposed'
  if (to < from && to > from * (1 - minCut) * (1 + 1e-9)) return 'a decrease of less than 10% is not proposed'
  if (from >= keptFrom && from <= keptTo) return 'it already meets nearly the same risk'
  if (to < from && usdPerDay > -minUsdPerDay) return 'savings of less than a cent a day are not proposed'
  return undefined
}

/**
 * A limit equal to the request stays equal, or the pod would lose its QoS class. If a request becomes smaller, its limit
 * keeps its proportion to it, because its owners chose that headroom, and stays 15% above the highest usage seen, up to
 * the current limit. If a request becomes larger, it was too small to say how much headroom was meant, so the limit stays
 * unless it is less than 15% above request and usage. No limit is added if none is set: it could only throttle or kill.
 * Request 1, limit 2, recommended 0.4, peak 0.9 -> 1.035. Request 0.1, limit 2, recommended 0.5, peak 0.9 -> 2.
 */
export function recommendedLimit(
  current: RequestAndLimit,
  recommendedRequest: number,
  peak: number | undefined,
): number | undefined {
  if (current.limit === undefined) return undefined
  const proportion = proportionOf(current)
  if (proportion <= 1) return recommendedRequest
  const used = (peak ?? 0) * limitHeadroom
  return recommendedRequest > current.request!
    ? Math.max(current.limit, recommendedRequest * limitHeadroom, used)
    : Math.max(recommendedRequest * proportion, Math.min(used, current.limit))
}

export const limitHeadroom = 1.15

/**
 * A lower limit would throttle a container while it starts, however little it uses afterwards. A CPU limit
 * that is lower already is not lowered further. A limit equal to the request has no minimum: it stays equal.
 */
export const minCpuLimit = (current: RequestAndLimit): number =>
  proportionOf(current) > 1 ? Math.min(startingCores, current.limit!) : 0

interface LimitEvidence extends Evidence {
  readonly target: number
  /** The recommended request, or the current one if it stays as it is. */
  readonly request: number
}

interface ChosenLimit {
  readonly limit: number | undefined
  /** Whether the limit should change even if the request stays as it is. */
  readonly changesLimit: boolean
  readonly steps: readonly Omit<RecommendationStep, 'value'>[]
}

/** Returns the limit that goes with a request, within the guard rails unless a rule sets it. */
function chooseLimit(
  resource: Resource,
  current: RequestAndLimit,
  evidence: LimitEvidence,
  { qos, limits: rule }: SizeConstraints,
): ChosenLimit {
  if (qos === 'guaranteed') return equalLimit(resource, current, evidence.request)
  if (qos === 'burstable' && current.limit !== undefined && rule !== 'none')
    return ownLimit(current.limit, evidence)
  const chosen = limitByProportion(resource, current, evidence, rule)
  const { facts, target } = evidence
  const isRuled = resource === 'cpu' && (rule === 'none' || rule === 'quantile')
  if (facts === undefined || isRuled || chosen.limit === undefined || proportionOf(current) <= 1)
    return chosen
  const { limit, steps } = railedLimit(chosen.limit, target, facts)
  return { ...chosen, limit, steps: [...chosen.steps, ...steps] }
}

function equalLimit(resource: Resource, current: RequestAndLimit, request: number): ChosenLimit {
  const isChanged = current.limit !== request
  const says = `${resourceNames[resource]}: the limit equals the request, as qos=guaranteed requires.`
  return { limit: request, changesLimit: isChanged, steps: isChanged ? [{ by: 'qos', says }] : [] }
}

/** The limit stays, unless the request or a limit that is too small raises it. */
function ownLimit(limit: number, { request, peak, isStarved, throttledShare = 0 }: LimitEvidence) {
  const heldBack = isStarved ? limit * (1 + throttledShare) : 0
  const least = request < limit ? limit : Math.max(request, peak) * limitHeadroom
  const raised = Math.max(least, heldBack)
  return { limit: raised, changesLimit: raised > limit, steps: [] }
}

function limitByProportion(
  resource: Resource,
  current: RequestAndLimit,
  { target, request, peak, isStarved, throttledShare = 0, high }: LimitEvidence,
  rule: SizeConstraints['limits'],
): ChosenLimit {
  // After a kill the request is above the old limit already; keeping the proportion as well would multiply it.
  if (resource === 'memory')
    return {
      limit: isStarved && current.limit !== undefined ? target : recommendedLimit(current, target, peak),
      changesLimit: false,
      steps: [],
    }
  if (rule === 'none') {
    const isRemoved = current.limit !== undefined
    const removed = { by: 'limits', says: 'CPU: the limit is removed, as limits=none requires.' }
    return { limit: undefined, changesLimit: isRemoved, steps: isRemoved ? [removed] : [] }
  }
  const heldBack = isStarved && current.limit !== undefined ? current.limit * (1 + throttledShare) : 0
  if (rule === 'quantile') {
    const limit = Math.max(
      request,
      high ?? peak,
      heldBack,
      Math.min(startingCores, current.limit ?? startingCores),
    )
    const says = `CPU: a limit of ${sizeText('cpu', limit)}, as limits=quantile requires.`
    return { limit, changesLimit: limit !== current.limit, steps: [{ by: 'limits', says }] }
  }
  const kept = recommendedLimit(current, target, peak)
  const limit = kept === undefined ? undefined : Math.max(kept, minCpuLimit(current))
  const steps =
    limit !== kept && request === target
      ? [
          {
            by: 'limits',
            says: `CPU: the limit is ${sizeText('cpu', limit!)}, so that the container can start.`,
          },
        ]
      : []
  if (limit === undefined || proportionOf(current) <= 1 || limit >= heldBack)
    return { limit, changesLimit: false, steps }
  const says = `CPU: throttled by its limit of ${sizeText('cpu', current.limit!)}, which is raised to ${sizeText('cpu', heldBack)}.`
  return { limit: heldBack, changesLimit: true, steps: [...steps, { by: 'throttling', says }] }
}
