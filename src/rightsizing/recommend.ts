import { keepUtilisation } from './adjustments/autoscaler.ts'
import { draftBand } from './adjustments/band.ts'
import { confidenceOf, coveredHours, isIntermittent } from './adjustments/confidence.ts'
import { withoutStarts, withThrottledDemand } from './adjustments/demand.ts'
import { DraftBand } from './adjustments/draft.ts'
import { finishRecommendation, requestAndLimitOf } from './adjustments/finish.ts'
import { proportionOf } from './adjustments/limits.ts'
import { memoryLeakOf, oomFloor } from './adjustments/memory-safety.ts'
import type { RecommendationContext } from './context.ts'
import type { Resource, UsageSpan } from './input.ts'
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
  const cpu = recommendCpu(workload, spans, context, workspace)
  const memory = recommendMemory(workload, spans, context, workspace)
  const age = Math.max(cpu.age, memory.age)
  const reachHours = Math.max(cpu.reachHours, memory.reachHours)
  const general = [
    ...(age < 3 ? [`Only ${reachText(age, reachHours).long} of history: bounds are wide.`] : []),
    ...(workload.job || isIntermittent(spans)
      ? ['Runs now and then: sized by its runs, not by the time between.']
      : []),
    ...(workload.init ? ['An init container: it runs before the others and is sized by its own.'] : []),
  ]
  const reasonsOf = ({ part }: Judged, resource: Resource): string[] =>
    part?.steps.map(({ says }) => says) ?? [
      `No ${resourceNames[resource]} usage was seen, so there is no recommendation for it.`,
    ]
  return {
    cpu: cpu.part,
    memory: memory.part,
    confidence: confidenceOf(age, spans, context),
    days: hours / 24,
    reasons: [...general, ...reasonsOf(cpu, 'cpu'), ...reasonsOf(memory, 'memory')],
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

interface Judged {
  readonly part: ResourceRecommendation | null
  /** Days. */
  readonly age: number
  readonly reachHours: number
}

/** Held back in more periods than this, a container wants for CPU. */
const sufferingShare = 0.05

function recommendCpu(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): Judged {
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
      `CPU: held back by its limit in ${percentText(demand.throttledShare)} of periods, which counts as demand it could not have.`,
    )
  const sizing = forecastResource(demand.spans, 'cpu', context.atHour, context.model, workspace.forecast)
  if (sizing === null) return { part: null, age: 0, reachHours: 0 }
  const { age, sizes } = sizing.knowledge
  draftBand(draft, 'cpu', sizing, leaderSizing(workload, 'cpu', context, workspace), context)
  keepUtilisation(draft, 'cpu', sizes.s95!, workload.autoscaler?.cpuTarget, workload.current?.cpuRequest)
  const evidence = {
    peak: Math.max(sizes.peakEver!, demand.startPeakCores ?? 0),
    suffers: demand.throttledShare > sufferingShare,
  }
  return {
    age,
    reachHours: sizing.reachHours,
    part: finishRecommendation('cpu', draft, evidence, workload, context),
  }
}

function recommendMemory(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): Judged {
  const draft = new DraftBand()
  const sizing = forecastResource(spans, 'memory', context.atHour, context.model, workspace.forecast)
  if (sizing === null) return { part: null, age: 0, reachHours: 0 }
  const { age, sizes } = sizing.knowledge
  draftBand(draft, 'memory', sizing, leaderSizing(workload, 'memory', context, workspace), context)
  const { memoryRequest, memoryLimit } = workload.current ?? {}
  const leak = memoryLeakOf(sizing.daily.days)
  if (leak !== null) {
    draft.lowerTo(Math.max(memoryRequest ?? 0, sizes.peakEver!))
    draft.tell(
      'leak',
      `Memory has grown for ${leak.days} days by about ${gibText(leak.gibPerDay)} a day, which looks like a leak: named, not followed.`,
    )
  }
  keepUtilisation(draft, 'memory', sizes.y95!, workload.autoscaler?.memoryTarget, memoryRequest)
  const oom = oomFloor(spans, context.atHour, memoryLimit ?? null)
  if (oom !== null) {
    draft.raise(oom.gib)
    draft.tell(
      'kills',
      `Memory: killed ${timesText(oom.kills)} for lack of it in the last 14 days, so at least ${gibText(oom.gib)}.`,
    )
  }
  const evidence = { peak: sizes.peakEver!, suffers: oom !== null }
  return {
    age,
    reachHours: sizing.reachHours,
    part: finishRecommendation('memory', draft, evidence, workload, context),
  }
}

function leaderSizing(
  workload: Workload,
  resource: Resource,
  context: RecommendationContext,
  workspace: RecommendationWorkspace,
): ResourceForecast | null {
  const { busiest } = workload
  if (busiest === undefined) return null
  return forecastResource(busiest, resource, context.atHour, context.model, workspace.busiest)
}
