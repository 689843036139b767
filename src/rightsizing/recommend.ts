import { minSizedHours } from '../domain/recommendation.ts'
import { plural } from '../domain/text.ts'
import { hourSeconds } from '../domain/time.ts'
import {
  applyConstraints,
  breaksRatio,
  coresText,
  DraftBand,
  draftBand,
  gibText,
  historyText,
  keepUtilisation,
  percentText,
  resourceNames,
  timesText,
} from './adjustments/band.ts'
import {
  finishRecommendation,
  limitHeadroom,
  proportionOf,
  type RequestAndLimit,
  reasonToKeep,
  requestAndLimitOf,
} from './adjustments/finish.ts'
import type { SizeConstraints } from './constraints/sizing-rules.ts'
import type { RecommendationContext } from './context.ts'
import {
  confidenceOf,
  coveredHours,
  forecastWorkload,
  isIntermittent,
  type WorkloadForecast,
} from './forecast-workload.ts'
import { interpolatedQuantile, ranking } from './history/ranking.ts'
import type { Resource, UsageSpan } from './input.ts'
import {
  heapReach,
  kernelPeakOf,
  memoryLeakOf,
  oomFloor,
  restartsOf,
  sizeByEvidence,
  widenForRestarts,
} from './memory/memory-evidence.ts'
import { RecommendationWorkspace } from './risk/resource-forecast.ts'
import type { Recommendation, ResourceRecommendation, Workload } from './workload.ts'

export const recommend = (
  workload: Workload,
  context: RecommendationContext,
  workspace = new RecommendationWorkspace(),
): Recommendation => recommendFrom(forecastWorkload(workload, context, workspace), workload, context)

/** Returns the recommendation at the context's risk for a workload whose usage has already been forecast. */
export function recommendFrom(
  forecast: WorkloadForecast,
  workload: Workload,
  context: RecommendationContext,
): Recommendation {
  const { spans, hours } = forecast
  if (hours < minSizedHours) {
    const reason = `Too little data: usage of only ${ranText(spans, hours)} is known, and at least ${minSizedHours} hours are needed.`
    return { cpu: null, memory: null, confidence: 0, days: hours / 24, reasons: [reason] }
  }
  const cpu = draftCpu(forecast, workload, context)
  const memory = draftMemory(forecast, workload, context)
  const constraints = context.constraints ?? {}
  applyConstraints({ cpu: cpu?.draft ?? null, memory: memory?.draft ?? null }, constraints)
  if (cpu !== null && memory !== null) keepRatioOfRequests(cpu, memory, constraints)
  const parts = { cpu: cpu?.finish() ?? null, memory: memory?.finish() ?? null }
  const age = Math.max(cpu?.age ?? 0, memory?.age ?? 0)
  const reachHours = Math.max(cpu?.reachHours ?? 0, memory?.reachHours ?? 0)
  const general = [
    ...(age < 3 ? [`Only ${historyText(age, reachHours).text} of history: bounds are wide.`] : []),
    ...(workload.job || isIntermittent(spans)
      ? ['Runs intermittently: sized by usage while it runs, not by the time between runs.']
      : []),
    ...(workload.init
      ? ['Init container: runs before the other containers and is sized by its own usage.']
      : []),
  ]
  const reasonsOf = (resource: Resource): string[] =>
    parts[resource]?.steps.map(({ says }) => says) ?? [
      `${resourceNames[resource]}: no usage was recorded, so there is no recommendation.`,
    ]
  return {
    ...parts,
    confidence:
      confidenceOf(age, spans, context) * (restartsOf(spans, context.atHour) > 0 ? restartedConfidence : 1),
    days: hours / 24,
    reasons: [...general, ...reasonsOf('cpu'), ...reasonsOf('memory')],
  }
}

/** If the current request of one resource would stay and break the ratio with the other, both change. */
function keepRatioOfRequests(cpu: ResourceDraft, memory: ResourceDraft, constraints: SizeConstraints): void {
  if (constraints.cpuMemoryRatio === undefined) return
  const [cores, gib] = [cpu.draft.target, memory.draft.target]
  const isBroken = breaksRatio(constraints, cpu.kept() ?? cores, memory.kept() ?? gib)
  // A maximum overrides the ratio.
  if (!isBroken || breaksRatio(constraints, cores, gib)) return
  cpu.draft.mustChange = true
  memory.draft.mustChange = true
}

/** Usage of less than an hour is given in minutes. */
function ranText(spans: readonly UsageSpan[], hours: number): string {
  const seconds = spans.reduce((sum, { cpu }) => sum + (cpu?.count ?? 0), 0)
  return seconds > 0 && seconds < hourSeconds
    ? plural(Math.ceil(seconds / 60), 'minute')
    : plural(Math.floor(hours), 'hour')
}

const restartedConfidence = 0.8

/** The draft of one resource, before the constraints of the organisation are applied. */
interface ResourceDraft {
  readonly draft: DraftBand
  /** The current request if it would stay, undefined if it would change. */
  kept(): number | undefined
  finish(): ResourceRecommendation
  /** Number of days with samples. */
  readonly age: number
  readonly reachHours: number
}

const finishing = (
  ...parts: Parameters<typeof finishRecommendation>
): Pick<ResourceDraft, 'kept' | 'finish'> => ({
  kept: () => {
    const [resource, , , workload] = parts
    return reasonToKeep(...parts) === undefined ? undefined : requestAndLimitOf(resource, workload).request
  },
  finish: () => finishRecommendation(...parts),
})

/** A container that is throttled in a larger share of periods lacks CPU. */
const maxThrottledShare = 0.05

function draftCpu(
  { cpu, spans }: WorkloadForecast,
  workload: Workload,
  context: RecommendationContext,
): ResourceDraft | null {
  if (cpu === null) return null
  const draft = new DraftBand()
  const { together: sizing, busiest, startPeakCores, throttledShare } = cpu
  if (startPeakCores !== null)
    draft.addStep(
      'starts',
      `CPU: peaks of ${coresText(startPeakCores)} occur only at startup, so they count for the limit and not for the request.`,
    )
  if (throttledShare > 0.01)
    draft.addStep(
      'throttling',
      `CPU: throttled in ${percentText(throttledShare)} of periods${throttledText(spans)}, so demand is estimated to be higher than usage.`,
    )
  const { age, sizes } = sizing.knowledge
  draftBand(draft, 'cpu', sizing, busiest, context)
  const isStarved = throttledShare > maxThrottledShare
  const current = requestAndLimitOf('cpu', workload)
  if (
    isStarved &&
    current.limit !== undefined &&
    proportionOf(current) <= 1 &&
    draft.target < current.limit * (1 + throttledShare)
  ) {
    draft.raise(current.limit * (1 + throttledShare))
    draft.addStep(
      'throttling',
      `CPU: throttled by its limit, which equals its request, so both are raised to ${coresText(draft.target)}.`,
    )
  }
  coverLimitedUse(draft, 'cpu', current, sizes.w995!)
  keepUtilisation(draft, 'cpu', sizes.s95!, workload.autoscaler?.cpuTarget, workload.current?.cpuRequest)
  const evidence = {
    peak: Math.max(sizes.peakEver!, startPeakCores ?? 0),
    isStarved,
    throttledShare,
    high:
      context.constraints?.limits === 'quantile'
        ? interpolatedQuantile(
            ranking(sizing.view, Number.POSITIVE_INFINITY, () => 1),
            limitQuantile,
          )
        : null,
  }
  return {
    draft,
    age,
    reachHours: sizing.reachHours,
    ...finishing('cpu', draft, evidence, workload, context),
  }
}

/**
 * A limit that equals the request is lowered with it, and usage above it is throttled or kills the container. So neither
 * becomes less than rare usage of the last 14 days, unless it already is.
 */
function coverLimitedUse(draft: DraftBand, resource: Resource, current: RequestAndLimit, used: number): void {
  if (current.limit === undefined || proportionOf(current) > 1) return
  const least = Math.min(current.limit, used)
  if (!(least > draft.target)) return
  draft.raise(least)
  const [text, happens] = resource === 'cpu' ? [coresText(least), 'throttled'] : [gibText(least), 'killed']
  draft.addStep(
    'limit',
    `${resourceNames[resource]}: the limit equals the request, and the container is ${happens} above it, so both are at least ${text}, which rare usage of the last 14 days needs.`,
  )
}

/** Usage may be above a limit that is set by usage for about one second in a quarter of an hour. */
const limitQuantile = 0.999

/** Text of the mean throttled time per day; empty if it is less than a minute. */
function throttledText(spans: readonly UsageSpan[]): string {
  const minutes = spans.reduce((sum, { throttledMs = 0 }) => sum + throttledMs, 0) / 60_000
  const perDay = minutes / (coveredHours(spans) / 24)
  return perDay >= 1 ? `, ${Math.round(perDay)} minutes a day in total` : ''
}

function draftMemory(
  { memory, spans }: WorkloadForecast,
  workload: Workload,
  context: RecommendationContext,
): ResourceDraft | null {
  if (memory === null) return null
  const draft = new DraftBand()
  const { memoryFacts: facts } = workload
  const { together: sizing, busiest } = memory
  const { age, sizes } = sizing.knowledge
  draftBand(draft, 'memory', sizing, busiest, context)
  const { memoryRequest, memoryLimit } = workload.current ?? {}
  // A heap below its limit grows without a leak.
  const leak = facts?.heapLimitGib === undefined ? memoryLeakOf(sizing.daily.days) : null
  if (leak !== null) {
    draft.lowerTo(Math.max(memoryRequest ?? 0, sizes.peakEver!))
    draft.addStep(
      'leak',
      `Memory has grown for ${leak.days} days by about ${gibText(leak.gibPerDay)} a day, which looks like a leak. The request is not raised for further growth${memoryLimit === undefined ? '' : ', and not reduced, because the container is killed at its limit'}.`,
    )
    if (memoryLimit !== undefined) draft.raise(memoryRequest ?? memoryLimit)
  }
  sizeByEvidence(draft, workload, spans, context.atHour)
  const current = requestAndLimitOf('memory', workload)
  const reach = heapReach(workload, spans)
  coverLimitedUse(draft, 'memory', current, Math.max(sizes.peak14! * limitHeadroom, reach))
  widenForRestarts(draft, restartsOf(spans, context.atHour))
  keepUtilisation(draft, 'memory', sizes.y95!, workload.autoscaler?.memoryTarget, memoryRequest)
  const oom = oomFloor(spans, context.atHour, memoryLimit ?? null)
  if (oom !== null) {
    draft.raise(oom.gib)
    draft.addStep(
      'kills',
      `Memory: OOM-killed ${timesText(oom.kills)} in the last 14 days, so at least ${gibText(oom.gib)}.`,
    )
  }
  const kernelPeak = facts?.cacheGib === undefined ? 0 : (kernelPeakOf(workload) ?? 0)
  const peak = Math.max(sizes.peakEver!, kernelPeak, reach / limitHeadroom)
  return {
    draft,
    age,
    reachHours: sizing.reachHours,
    ...finishing('memory', draft, { peak, isStarved: oom !== null }, workload, context),
  }
}
