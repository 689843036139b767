import { keepUtilisation } from './adjustments/autoscaler.ts'
import { draftBand } from './adjustments/band.ts'
import { confidenceOf, coveredHours, isIntermittent } from './adjustments/confidence.ts'
import { withoutStarts, withThrottledDemand } from './adjustments/demand.ts'
import { DraftBand } from './adjustments/draft.ts'
import { finishRecommendation, requestAndLimitOf } from './adjustments/finish.ts'
import { proportionOf } from './adjustments/limits.ts'
import { memoryLeakOf, oomFloor } from './adjustments/memory-safety.ts'
import { applyConstraints } from './constraints/apply-constraints.ts'
import type { RecommendationContext } from './context.ts'
import { interpolatedQuantile, ranking } from './history/ranking.ts'
import type { Resource, UsageSpan } from './input.ts'
import { kernelPeakOf, restartsOf, sizeByEvidence, widenForRestarts } from './memory/memory-evidence.ts'
import { memoryDemand } from './memory/page-cache.ts'
import { coresText, gibText, percentText, reachText, resourceNames, timesText } from './phrases.ts'
import { forecastResource, type ResourceForecast } from './risk/resource-forecast.ts'
import type { Recommendation, ResourceRecommendation, Workload } from './workload.ts'
import { RecommendationWorkspace } from './workspace.ts'

const leastHours = 6

export function recommend(
  workload: Workload,
  context: RecommendationContext,
  workspace = new RecommendationWorkspace(),
): Recommendation {
  const spans = spansBefore(workload, context.atHour)
  const hours = coveredHours(spans)
  if (hours < leastHours) {
    const reason = `Too little data: only ${ranText(spans, hours)} of usage are known, and at least ${leastHours} hours are needed.`
    return { cpu: null, memory: null, confidence: 0, days: hours / 24, reasons: [reason] }
  }
  const cpu = judgeCpu(workload, spans, context, workspace)
  const memory = judgeMemory(workload, spans, context, workspace)
  applyConstraints({ cpu: cpu?.draft ?? null, memory: memory?.draft ?? null }, context.constraints ?? {})
  const parts = { cpu: cpu?.finish() ?? null, memory: memory?.finish() ?? null }
  const age = Math.max(cpu?.age ?? 0, memory?.age ?? 0)
  const reachHours = Math.max(cpu?.reachHours ?? 0, memory?.reachHours ?? 0)
  const general = [
    ...(age < 3 ? [`Only ${reachText(age, reachHours).long} of history: bounds are wide.`] : []),
    ...(workload.job || isIntermittent(spans)
      ? ['Runs now and then: sized by its runs, not by the time between.']
      : []),
    ...(workload.init ? ['An init container: it runs before the others and is sized by its own.'] : []),
  ]
  const reasonsOf = (resource: Resource): string[] =>
    parts[resource]?.steps.map(({ says }) => says) ?? [
      `No ${resourceNames[resource]} usage was seen, so there is no recommendation for it.`,
    ]
  return {
    ...parts,
    confidence:
      confidenceOf(age, spans, context) * (restartsOf(spans, context.atHour) > 0 ? restartedConfidence : 1),
    days: hours / 24,
    reasons: [...general, ...reasonsOf('cpu'), ...reasonsOf('memory')],
  }
}

/** What ended within the hour is told by its minutes. */
function ranText(spans: readonly UsageSpan[], hours: number): string {
  const seconds = spans.reduce((sum, { cpu }) => sum + (cpu?.count ?? 0), 0)
  return seconds > 0 && seconds < 3600 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.floor(hours)} hours`
}

/** Oldest first. */
export function spansBefore({ spans }: Workload, atHour: number): readonly UsageSpan[] {
  const isKnown = ({ startHour, hours }: UsageSpan) => startHour < atHour && hours > 0
  const isInOrder = spans.every(
    (span, index) => isKnown(span) && (index === 0 || spans[index - 1]!.startHour <= span.startHour),
  )
  return isInOrder ? spans : spans.filter(isKnown).sort((a, b) => a.startHour - b.startHour)
}

/** CPU as it would have been asked for: without what comes only with a start, and with what a limit held back. */
export function cpuDemand(workload: Workload, spans: readonly UsageSpan[]) {
  // A run of a job is a start; and where the limit is the request, a spike has nowhere else to go.
  const set = requestAndLimitOf('cpu', workload)
  const mustHold = workload.job || workload.init || (set.limit !== undefined && proportionOf(set) <= 1)
  const calm = mustHold ? { spans, startPeakCores: null } : withoutStarts(spans)
  return { ...withThrottledDemand(calm.spans), startPeakCores: calm.startPeakCores }
}

const restartedConfidence = 0.8

/** What one resource should be, before the rules of the organisation. */
interface Judged {
  readonly draft: DraftBand
  finish(): ResourceRecommendation
  /** Days. */
  readonly age: number
  readonly reachHours: number
}

/** Held back in more periods than this, a container wants for CPU. */
const sufferingShare = 0.05

function judgeCpu(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): Judged | null {
  const draft = new DraftBand()
  const demand = cpuDemand(workload, spans)
  if (demand.startPeakCores !== null)
    draft.tell(
      'starts',
      `CPU: peaks of ${coresText(demand.startPeakCores)} come only with a start and are left to the limit.`,
    )
  if (demand.throttledShare > 0.01)
    draft.tell(
      'throttling',
      `CPU: held back by its limit in ${percentText(demand.throttledShare)} of periods${throttledText(spans)}, which counts as demand it could not have.`,
    )
  const sizing = forecastResource(demand.spans, 'cpu', context.atHour, context.model, workspace.forecast)
  if (sizing === null) return null
  const { age, sizes } = sizing.knowledge
  draftBand(draft, 'cpu', sizing, leaderSizing(workload.busiest, 'cpu', context, workspace), context)
  const suffers = demand.throttledShare > sufferingShare
  const set = requestAndLimitOf('cpu', workload)
  if (suffers && set.limit !== undefined && proportionOf(set) <= 1 && draft.target < set.limit) {
    draft.raise(set.limit)
    draft.tell('throttling', 'CPU: not made smaller while its limit holds it back.')
  }
  keepUtilisation(draft, 'cpu', sizes.s95!, workload.autoscaler?.cpuTarget, workload.current?.cpuRequest)
  const evidence = {
    peak: Math.max(sizes.peakEver!, demand.startPeakCores ?? 0),
    suffers,
    throttledShare: demand.throttledShare,
    high:
      context.constraints?.limits === 'quantile'
        ? interpolatedQuantile(
            ranking(sizing.view, Number.POSITIVE_INFINITY, () => 1),
            limitQuantile,
          )
        : null,
  }
  return {
    ...{ draft, age, reachHours: sizing.reachHours },
    finish: () => finishRecommendation('cpu', draft, evidence, workload, context),
  }
}

/** A second of a quarter of an hour may be above a limit that is set by usage. */
const limitQuantile = 0.999

/** How long that was, on the mean of a day. */
function throttledText(spans: readonly UsageSpan[]): string {
  const minutes = spans.reduce((sum, { throttledMs = 0 }) => sum + throttledMs, 0) / 60_000
  const perDay = minutes / (coveredHours(spans) / 24)
  return perDay >= 1 ? `, for ${Math.round(perDay)} minutes a day in all` : ''
}

function judgeMemory(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): Judged | null {
  const draft = new DraftBand()
  const { memoryFacts: facts, busiest } = workload
  const demand = memoryDemand(spans, facts)
  const sizing = forecastResource(demand.spans, 'memory', context.atHour, context.model, workspace.forecast)
  if (sizing === null) return null
  const { age, sizes } = sizing.knowledge
  const leader = busiest && memoryDemand(busiest, facts).spans
  draftBand(draft, 'memory', sizing, leaderSizing(leader, 'memory', context, workspace), context)
  const { memoryRequest, memoryLimit } = workload.current ?? {}
  // A heap below its limit grows without a leak.
  const leak = facts?.heapLimitGib === undefined ? memoryLeakOf(sizing.daily.days) : null
  if (leak !== null) {
    draft.lowerTo(Math.max(memoryRequest ?? 0, sizes.peakEver!))
    draft.tell(
      'leak',
      `Memory has grown for ${leak.days} days by about ${gibText(leak.gibPerDay)} a day, which looks like a leak: named, not followed.`,
    )
  }
  sizeByEvidence(draft, workload, spans, context.atHour)
  widenForRestarts(draft, restartsOf(spans, context.atHour))
  keepUtilisation(draft, 'memory', sizes.y95!, workload.autoscaler?.memoryTarget, memoryRequest)
  const oom = oomFloor(spans, context.atHour, memoryLimit ?? null)
  if (oom !== null) {
    draft.raise(oom.gib)
    draft.tell(
      'kills',
      `Memory: killed ${timesText(oom.kills)} for lack of it in the last 14 days, so at least ${gibText(oom.gib)}.`,
    )
  }
  const peak = Math.max(sizes.peakEver!, facts?.cacheGib === undefined ? 0 : (kernelPeakOf(workload) ?? 0))
  return {
    ...{ draft, age, reachHours: sizing.reachHours },
    finish: () => finishRecommendation('memory', draft, { peak, suffers: oom !== null }, workload, context),
  }
}

function leaderSizing(
  busiest: Workload['busiest'],
  resource: Resource,
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): ResourceForecast | null {
  if (busiest === undefined) return null
  return forecastResource(busiest, resource, context.atHour, context.model, workspace.busiest)
}
