import type { UsageDistribution, UsageSpan } from './input.ts'
import { unitsOf } from './input.ts'

const leastOtherSpans = 24
const spikeFactor = 1.5

/** A spike that comes only with a start is left to the limit: a request would keep it for good. */
export function withoutStarts(spans: readonly UsageSpan[]): {
  readonly spans: readonly UsageSpan[]
  readonly startPeakCores: number | null
} {
  const steady = spans.filter(({ started }) => !started)
  const startPeak = peakOf(spans.filter(({ started }) => started))
  if (steady.length < leastOtherSpans || !(startPeak > spikeFactor * peakOf(steady)))
    return { spans, startPeakCores: null }
  const calm = spans.map((span) => (span.started ? { ...span, cpu: null } : span))
  return { spans: calm, startPeakCores: startPeak / unitsOf.cpu }
}

/** What a container would have used had its limit let it: held back in a third of the periods means a third more. */
export function withThrottledDemand(spans: readonly UsageSpan[]): {
  readonly spans: readonly UsageSpan[]
  readonly throttledShare: number
} {
  let [sum, hours] = [0, 0]
  const adjusted = spans.map((span) => {
    const share = Math.max(0, Math.min(1, span.throttledShare ?? 0)) || 0
    sum += share * span.hours
    hours += span.hours
    return share > 0 && span.cpu !== null ? { ...span, cpu: scaled(span.cpu, 1 + share) } : span
  })
  return { spans: adjusted, throttledShare: hours > 0 ? sum / hours : 0 }
}

const peakOf = (spans: readonly UsageSpan[]): number =>
  Math.max(0, ...spans.map(({ cpu }) => (cpu !== null && cpu.count > 0 ? cpu.max : 0)))

function scaled(usage: UsageDistribution, factor: number): UsageDistribution {
  return {
    count: usage.count,
    sum: usage.sum * factor,
    max: usage.max * factor,
    *[Symbol.iterator]() {
      for (const { value, count } of usage) yield { value: value * factor, count }
    },
  }
}
