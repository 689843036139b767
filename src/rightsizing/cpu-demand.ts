import { proportionOf, requestAndLimitOf } from './adjustments/finish.ts'
import type { RecommendationContext } from './context.ts'
import { type Resource, scaledUsage, type UsageDistribution, type UsageSpan, unitsOf } from './input.ts'
import { memoryDemand } from './memory/memory-evidence.ts'
import type { SizingModel } from './model/predict.ts'
import { forecastResource, RecommendationWorkspace, type ResourceForecast } from './risk/resource-forecast.ts'
import type { Workload } from './workload.ts'

/**
 * Forecast of a workload's usage on the next day. It does not depend on the risk, so one forecast serves every risk.
 */
export interface WorkloadForecast {
  /** Oldest first. */
  readonly spans: readonly UsageSpan[]
  readonly hours: number
  readonly cpu: CpuForecast | null
  readonly memory: ReplicaForecasts | null
}

interface ReplicaForecasts {
  /** The forecast of all replicas together. */
  readonly together: ResourceForecast
  /** The forecast of a replica that is always busier than the others, if there is one. */
  readonly busiest: ResourceForecast | null
}

interface CpuForecast extends ReplicaForecasts {
  /** Peak that occurs only when the container starts, if there is one. */
  readonly startPeakCores: number | null
  readonly throttledShare: number
}

/** The result is valid until the next forecast is made in the same workspace. */
export function forecastWorkload(
  workload: Workload,
  context: RecommendationContext,
  workspace = new RecommendationWorkspace(),
): WorkloadForecast {
  const spans = spansBefore(workload, context.atHour)
  const demand = cpuDemand(workload, spans)
  const forecast = (
    resource: Resource,
    all: readonly UsageSpan[],
    busiest: readonly UsageSpan[] | undefined,
  ): ReplicaForecasts | null => {
    const together = forecastResource(all, resource, context, workspace[resource].together)
    if (together === null) return null
    const alone = busiest && forecastResource(busiest, resource, context, workspace[resource].busiest)
    const reachHours = Math.min(together.reachHours, workload.reachHours ?? Number.POSITIVE_INFINITY)
    return { together: { ...together, reachHours }, busiest: alone ?? null }
  }
  const { memoryFacts, busiest } = workload
  const cpu = forecast('cpu', demand.spans, busiest)
  return {
    spans,
    hours: Math.min(coveredHours(spans), workload.seenHours ?? Number.POSITIVE_INFINITY),
    cpu: cpu && { ...cpu, startPeakCores: demand.startPeakCores, throttledShare: demand.throttledShare },
    memory: forecast(
      'memory',
      memoryDemand(spans, memoryFacts).spans,
      busiest && memoryDemand(busiest, memoryFacts).spans,
    ),
  }
}

/** Returns the spans that begin before the hour, oldest first. */
export function spansBefore({ spans }: Workload, atHour: number): readonly UsageSpan[] {
  const isKnown = ({ startHour, hours }: UsageSpan) => startHour < atHour && hours > 0
  const isInOrder = spans.every(
    (span, index) => isKnown(span) && (index === 0 || spans[index - 1]!.startHour <= span.startHour),
  )
  return isInOrder ? spans : spans.filter(isKnown).sort((a, b) => a.startHour - b.startHour)
}

/** CPU usage without peaks that occur only at a start, and with an estimate of what the CPU limit throttled. */
export function cpuDemand(workload: Workload, spans: readonly UsageSpan[]) {
  // Each run of a job is a start. If the limit equals the request, the request must be large enough for a spike.
  const current = requestAndLimitOf('cpu', workload)
  const mustCoverStarts =
    workload.job || workload.init || (current.limit !== undefined && proportionOf(current) <= 1)
  const covered = mustCoverStarts ? { spans, startPeakCores: null } : withoutStarts(spans)
  return { ...withThrottledDemand(covered.spans), startPeakCores: covered.startPeakCores }
}

const minHoursWithoutStarts = 24
const spikeFactor = 1.5

/** A spike that occurs only at a start is left to the limit: a request would reserve it permanently. */
function withoutStarts(spans: readonly UsageSpan[]): {
  readonly spans: readonly UsageSpan[]
  readonly startPeakCores: number | null
} {
  if (spans.every(({ cpuWithoutStarts }) => cpuWithoutStarts === undefined))
    return { spans, startPeakCores: null }
  let [hoursWithoutStarts, peakWithoutStarts, startPeak] = [0, 0, 0]
  for (const { hours, cpu, cpuWithoutStarts } of spans) {
    const rest = cpuWithoutStarts === undefined ? cpu : cpuWithoutStarts
    if (rest !== null && rest.count > 0) hoursWithoutStarts += hours
    peakWithoutStarts = Math.max(peakWithoutStarts, peakOf(rest))
    if (cpuWithoutStarts !== undefined) startPeak = Math.max(startPeak, peakOf(cpu))
  }
  if (hoursWithoutStarts < minHoursWithoutStarts || !(startPeak > spikeFactor * peakWithoutStarts))
    return { spans, startPeakCores: null }
  return {
    spans: spans.map((span) =>
      span.cpuWithoutStarts === undefined ? span : { ...span, cpu: span.cpuWithoutStarts },
    ),
    startPeakCores: startPeak / unitsOf.cpu,
  }
}

/**
 * Estimates usage without the CPU limit: a container that is throttled in a third of the periods would use a third
 * more.
 */
function withThrottledDemand(spans: readonly UsageSpan[]): {
  readonly spans: readonly UsageSpan[]
  readonly throttledShare: number
} {
  let [sum, hours] = [0, 0]
  for (const span of spans) {
    sum += shareOf(span) * span.hours
    hours += span.hours
  }
  if (sum === 0) return { spans, throttledShare: 0 }
  const adjusted = spans.map((span) => {
    const share = shareOf(span)
    return share > 0 && span.cpu !== null ? { ...span, cpu: scaledUsage(span.cpu, 1 + share) } : span
  })
  return { spans: adjusted, throttledShare: sum / hours }
}

const shareOf = ({ throttledShare = 0 }: UsageSpan): number => Math.max(0, Math.min(1, throttledShare)) || 0

const peakOf = (usage: UsageDistribution | null): number =>
  usage !== null && usage.count > 0 && usage.max > 0 ? usage.max : 0

/**
 * Confidence grows with more days, fewer gaps, and a model trained on the organisation's own usage. With such a model
 * and without gaps: one day 0.29, a week 0.74, a month 0.92.
 */
export function confidenceOf(
  age: number,
  spans: readonly UsageSpan[],
  { atHour, model }: { readonly atHour: number; readonly model: SizingModel },
): number {
  const daysSince = Math.max(1, Math.ceil((atHour - spans[0]!.startHour) / 24))
  const gaps = Math.min(1, age / daysSince)
  const trained = model.p99 === undefined ? 0.8 : 1
  return Math.min(1, (age / (age + 2.5)) * gaps ** 0.5 * trained)
}

/** Whether the workload was first seen two days ago or more and has samples in less than a third of the hours since. */
export function isIntermittent(spans: readonly UsageSpan[]): boolean {
  const reach = spans.at(-1)!.startHour - spans[0]!.startHour + 1
  return reach >= 48 && coveredHours(spans) < reach / 3
}

export const coveredHours = (spans: readonly UsageSpan[]): number =>
  spans.reduce((sum, { hours }) => sum + hours, 0)
