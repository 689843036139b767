import type { UsageDistribution, UsageSpan } from '../input.ts'
import { scaledUsage, unitsOf } from '../input.ts'

const leastCalmHours = 24
const spikeFactor = 1.5

/** A spike that occurs only at a start is left to the limit: a request would reserve it permanently. */
export function withoutStarts(spans: readonly UsageSpan[]): {
  readonly spans: readonly UsageSpan[]
  readonly startPeakCores: number | null
} {
  let [calmHours, calmPeak, startPeak] = [0, 0, 0]
  for (const { hours, cpu, calmCpu } of spans) {
    const calm = calmCpu === undefined ? cpu : calmCpu
    if (calm !== null && calm.count > 0) calmHours += hours
    calmPeak = Math.max(calmPeak, peakOf(calm))
    if (calmCpu !== undefined) startPeak = Math.max(startPeak, peakOf(cpu))
  }
  if (calmHours < leastCalmHours || !(startPeak > spikeFactor * calmPeak))
    return { spans, startPeakCores: null }
  return {
    spans: spans.map((span) => (span.calmCpu === undefined ? span : { ...span, cpu: span.calmCpu })),
    startPeakCores: startPeak / unitsOf.cpu,
  }
}

/** What a container would have used had its limit let it: held back in a third of the periods means a third more. */
export function withThrottledDemand(spans: readonly UsageSpan[]): {
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
