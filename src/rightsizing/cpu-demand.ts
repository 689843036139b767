import { proportionOf, requestAndLimitOf } from './adjustments/request-and-limit.ts'
import { scaledUsage, type UsageDistribution, type UsageSpan, unitsOf } from './input.ts'
import type { Workload } from './workload.ts'

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
  const throttledShare = throttledShareOf(spans)
  if (throttledShare === 0) return { spans, throttledShare }
  const adjusted = spans.map((span) => {
    const share = shareOf(span)
    return share > 0 && span.cpu !== null ? { ...span, cpu: scaledUsage(span.cpu, 1 + share) } : span
  })
  return { spans: adjusted, throttledShare }
}

/** Mean share of periods; 0 without spans. */
export function throttledShareOf(spans: readonly UsageSpan[]): number {
  const sum = spans.reduce((total, span) => total + shareOf(span) * span.hours, 0)
  return sum === 0 ? 0 : sum / coveredHours(spans)
}

const shareOf = ({ throttledShare = 0 }: UsageSpan): number => Math.max(0, Math.min(1, throttledShare)) || 0

const peakOf = (usage: UsageDistribution | null): number =>
  usage !== null && usage.count > 0 && usage.max > 0 ? usage.max : 0

/** Whether the workload was first seen two days ago or more and has samples in less than a third of the hours since. */
export function isIntermittent(spans: readonly UsageSpan[]): boolean {
  const reach = spans.at(-1)!.startHour - spans[0]!.startHour + 1
  return reach >= 48 && coveredHours(spans) < reach / 3
}

export const coveredHours = (spans: readonly UsageSpan[]): number =>
  spans.reduce((sum, { hours }) => sum + hours, 0)

export const peakCores = (spans: readonly UsageSpan[]): number =>
  spans.reduce((peak, { cpu }) => Math.max(peak, peakOf(cpu)), 0) / unitsOf.cpu
