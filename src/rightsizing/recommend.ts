import { type Band, bandOf, keepUtilisation, raise } from './band.ts'
import { confidenceOf, coveredHours, isIntermittent } from './confidence.ts'
import { withoutStarts, withThrottledDemand } from './demand.ts'
import type { SizingModel } from './experience.ts'
import type { Resource, UsageSpan } from './input.ts'
import { leakOf, oomFloor } from './memory-care.ts'
import { type Sizing, sizingOf } from './sizing.ts'
import { cores, gib, percent } from './words.ts'
import type { Prices, Recommendation, ResourceRecommendation, Wish, Workload } from './workload.ts'
import { changeIsWorth } from './worth.ts'

export interface Context {
  /** Hours since 1970: usage that begins later is not looked at. */
  readonly atHour: number
  /** {} where the organisation has none yet. */
  readonly model: SizingModel
  readonly prices: Prices
  readonly wish?: Wish
}

const leastHours = 6

export function recommend(workload: Workload, context: Context): Recommendation {
  const spans = workload.spans
    .filter(({ startHour, hours }) => startHour < context.atHour && hours > 0)
    .sort((a, b) => a.startHour - b.startHour)
  const hours = coveredHours(spans)
  if (hours < leastHours) {
    const reason = `Only ${Math.floor(hours)} hours of usage are known; at least ${leastHours} are needed.`
    return { cpu: null, memory: null, confidence: 0, days: hours / 24, reasons: [reason] }
  }
  const cpu = recommendCpu(workload, spans, context)
  const memory = recommendMemory(workload, spans, context)
  const age = Math.max(cpu?.age ?? 0, memory?.age ?? 0)
  const reasons = [
    ...(age < 3 ? [`Only ${age} ${age === 1 ? 'day' : 'days'} of history: bounds are wide.`] : []),
    ...(workload.job || isIntermittent(spans)
      ? ['Runs now and then: sized by its runs, not by the time between.']
      : []),
    ...(workload.init ? ['An init container: it runs before the others and is sized by its own.'] : []),
  ]
  return {
    cpu: cpu?.part ?? null,
    memory: memory?.part ?? null,
    confidence: confidenceOf(age, spans, context),
    days: hours / 24,
    reasons,
  }
}

function recommendCpu(workload: Workload, spans: readonly UsageSpan[], context: Context) {
  const reasons: string[] = []
  const calm = withoutStarts(spans)
  if (calm.startPeakCores !== null)
    reasons.push(`Peaks of ${cores(calm.startPeakCores)} come only with a start and are left to the limit.`)
  const demand = withThrottledDemand(calm.spans)
  if (demand.throttledShare > 0.01)
    reasons.push(
      `Held back by its limit in ${percent(demand.throttledShare)} of periods: counted as demand it could not have.`,
    )
  const sizing = sizingOf(demand.spans, 'cpu', context.atHour, context.model)
  if (sizing === null) return null
  const leader = leaderSizing(workload, 'cpu', context)
  const result = bandOf('cpu', sizing, leader, context.model, context.wish ?? {}, reasons)
  const current = workload.current?.cpuRequest ?? null
  const target = workload.autoscaler?.cpuTarget
  if (target !== undefined && target > 0 && target <= 1)
    keepUtilisation(result, sizing.knowledge.sizes.s95! / target, current, target, reasons)
  // The limit, where one is wanted, leaves room for what was seen at a start.
  const limit =
    workload.current?.cpuLimit === undefined
      ? null
      : Math.max(result.upper, sizing.knowledge.sizes.peakEver!, calm.startPeakCores ?? 0)
  return {
    age: sizing.knowledge.age,
    part: finish('cpu', result, limit, current, workload, context, reasons),
  }
}

function recommendMemory(workload: Workload, spans: readonly UsageSpan[], context: Context) {
  const reasons: string[] = []
  const sizing = sizingOf(spans, 'memory', context.atHour, context.model)
  if (sizing === null) return null
  const result = bandOf(
    'memory',
    sizing,
    leaderSizing(workload, 'memory', context),
    context.model,
    context.wish ?? {},
    reasons,
  )
  const current = workload.current?.memoryRequest ?? null
  const peak = sizing.knowledge.sizes.peakEver!
  const leak = leakOf(sizing.daily.days)
  if (leak !== null) {
    const held = Math.max(current ?? 0, peak)
    result.target = Math.min(result.target, held)
    reasons.push(
      `Memory has grown for ${leak.days} days by about ${gib(leak.gibPerDay)} a day, which looks like a leak: named, not followed.`,
    )
  }
  const target = workload.autoscaler?.memoryTarget
  if (target !== undefined && target > 0 && target <= 1)
    keepUtilisation(result, sizing.knowledge.sizes.y95! / target, current, target, reasons)
  const oom = oomFloor(spans, context.atHour, workload.current?.memoryLimit ?? null)
  if (oom !== null) {
    raise(result, oom.gib)
    reasons.push(
      `Killed ${oom.kills} times for lack of memory in the last 14 days: at least ${gib(oom.gib)}.`,
    )
  }
  const limit = Math.max(result.upper, peak)
  return {
    age: sizing.knowledge.age,
    part: finish('memory', result, limit, current, workload, context, reasons),
  }
}

function leaderSizing(workload: Workload, resource: Resource, context: Context): Sizing | null {
  const { busiest } = workload
  return busiest === undefined ? null : sizingOf(busiest, resource, context.atHour, context.model)
}

function finish(
  resource: Resource,
  band: Band,
  limit: number | null,
  current: number | null,
  workload: Workload,
  { prices }: Context,
  reasons: string[],
): ResourceRecommendation {
  const price = resource === 'cpu' ? prices.corePerHourUsd : prices.gibPerHourUsd
  const worth = changeIsWorth(current, band.target, price, workload.replicas ?? 1)
  if (!worth.worthChanging) reasons.push(worth.reason)
  return {
    current,
    ...band,
    limit: limit === null ? null : Math.max(limit, band.target),
    worthChanging: worth.worthChanging,
    reasons,
  }
}
