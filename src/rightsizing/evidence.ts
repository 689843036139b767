import { minSizedHours } from '../domain/recommendation.ts'
import type { EvidenceContext } from './context.ts'
import {
  coveredHours,
  cpuDemand,
  isIntermittent,
  peakCores,
  spansBefore,
  throttledShareOf,
} from './cpu-demand.ts'
import { publicPolicyList } from './estimators/public-policies.ts'
import { type Forecasts, forecastsOf, levelsAt, levelsOf } from './forecasts.ts'
import type { Day } from './history/day.ts'
import { percentilesBefore } from './history/days.ts'
import { windowQuantile } from './history/window-quantile.ts'
import type { Resource, UsageSpan } from './input.ts'
import { flatTopOf } from './memory/flat-top.ts'
import {
  cacheIsSmall,
  memoryDemand,
  memoryLeakOf,
  oomKillsOf,
  peakGib,
  restartsOf,
} from './memory/memory-evidence.ts'
import type { ModelRisks } from './model/predict.ts'
import { limitModelChange } from './rails/model-change.ts'
import { hasShortfall, riskPositionOf, shiftLevels } from './risk/decide.ts'
import { RecommendationWorkspace, type ResourceForecast } from './risk/resource-forecast.ts'
import { preferredShifts } from './risk/size-reading.ts'
import type {
  CpuEvidence,
  MemoryEvidence,
  ReplicaEvidence,
  ResourceEvidence,
  SizingEvidence,
} from './sizing-evidence.ts'
import type { SizingPreference, Workload } from './workload.ts'

/**
 * The slow part of a decision: reads the history, forecasts the next day, and writes down the figures. The result is plain data
 * that does not refer to the history.
 */
export const gatherEvidence = (
  workload: Workload,
  context: EvidenceContext,
  workspace = new RecommendationWorkspace(),
): SizingEvidence => evidenceByPreference(workload, context, workspace)(context.preference)

/** Returns evidence for any preference from one reading of the history. It is valid until the workspace is used again. */
export function evidenceByPreference(
  workload: Workload,
  context: Omit<EvidenceContext, 'preference'>,
  workspace = new RecommendationWorkspace(),
): (preference: SizingPreference | undefined) => SizingEvidence {
  const { atHour, model } = context
  const spans = spansBefore(workload, atHour)
  const seenHours = Math.min(coveredHours(spans), workload.seenHours ?? Number.POSITIVE_INFINITY)
  const daysSinceFirst = spans.length === 0 ? 0 : Math.max(1, Math.ceil((atHour - spans[0]!.startHour) / 24))
  const base = { hour: atHour, seenHours, daysSinceFirst, isTrained: model.p99 !== undefined }
  if (seenHours < minSizedHours) {
    const podSeconds = spans.reduce((sum, { cpu }) => sum + (cpu?.count ?? 0), 0)
    const sampledSeconds = Math.min(podSeconds, workload.reachSeconds ?? Number.POSITIVE_INFINITY)
    return () => ({ ...base, sampledSeconds })
  }
  const cpu = cpuEvidence(workload, spans, context, workspace.cpu)
  const memory = memoryEvidence(workload, spans, context, workspace.memory)
  const evidence = limitModelChange(
    {
      ...base,
      ...generalEvidence(workload, spans, context),
      ...(cpu === null ? {} : { cpu: cpu.evidence }),
      ...(memory === null ? {} : { memory }),
    },
    context.before,
    (resource) => levelsAt(context.before!.hour, resource, workload, spans, context, workspace),
  )
  return (preference) =>
    cpu === null || evidence.cpu === undefined || !hasShortfall(preference)
      ? evidence
      : {
          ...evidence,
          preferred: preference,
          cpu: withPreferred(evidence.cpu, cpu.forecasts, preference, model),
        }
}

function generalEvidence(
  { job, init, largest, replaced }: Workload,
  spans: readonly UsageSpan[],
  { atHour, model, modelVersion }: EvidenceContext,
): Partial<SizingEvidence> {
  const risks = risksOf(model)
  const restarts = restartsOf(spans, atHour)
  return {
    ...(modelVersion === undefined ? {} : { modelVersion }),
    ...(risks === undefined ? {} : { risks }),
    ...(job ? { job } : {}),
    ...(init ? { init } : {}),
    ...(isIntermittent(spans) ? { intermittent: true } : {}),
    ...(restarts > 0 ? { restarts } : {}),
    ...(largest === undefined ? {} : { largest }),
    ...(replaced === undefined ? {} : { replaced }),
  }
}

const risksOf = ({ risks, shortfalls }: ModelRisks): ModelRisks | undefined =>
  risks === undefined && shortfalls === undefined
    ? undefined
    : { ...(risks === undefined ? {} : { risks }), ...(shortfalls === undefined ? {} : { shortfalls }) }

type Workspaces = RecommendationWorkspace[Resource]

function cpuEvidence(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: EvidenceContext,
  workspaces: Workspaces,
): { readonly evidence: CpuEvidence; readonly forecasts: Forecasts } | null {
  const demand = cpuDemand(workload, spans)
  const { startPeakCores, throttledShare } = demand
  const forecasts = forecastsOf('cpu', demand.spans, workload.busiest, context, workspaces)
  if (forecasts === null) return null
  const { together } = forecasts
  const throttledMs = spans.reduce((sum, span) => sum + (span.throttledMs ?? 0), 0)
  const high = windowQuantile(together.view, Number.POSITIVE_INFINITY, limitQuantile)
  const evidence = {
    ...resourceEvidence('cpu', forecasts, workload),
    scaled: together.knowledge.sizes.s95!,
    peakSeen: peakCores(spans),
    ...growthOf(together, 'trend99', ({ p99 }) => p99),
    ...repeatsOf(together, ({ p99 }) => p99),
    ...(startPeakCores === null ? {} : { startPeak: startPeakCores }),
    ...(throttledShare > 0
      ? { throttledShare, ...throttledSince(spans, workload.limitsSince?.cpuHour) }
      : {}),
    ...(throttledMs > 0 ? { throttledMinutes: throttledMs / 60_000 / (coveredHours(spans) / 24) } : {}),
    ...(high === null ? {} : { limitQuantile: high }),
  }
  return { evidence, forecasts }
}

const minGrowth = 0.1

/** The last two days must exceed the five before them and, where these are known, the same two days of the week before. */
function growthOf(
  { daily: { days }, knowledge }: ResourceForecast,
  trend: 'trend99' | 'trendPeak',
  read: (day: Day) => number,
): { growth?: number } {
  const overWeek = [1, 2].flatMap((age) => {
    const [day, weekBefore] = [days.at(-age), days[days.length - age - 7]]
    return day && weekBefore ? Math.log(read(day) / read(weekBefore)) : []
  })
  const logs = [knowledge.shapes[trend] ?? Number.NaN]
  if (overWeek.length > 0) logs.push(overWeek.reduce((sum, log) => sum + log, 0) / overWeek.length)
  const growth = Math.exp(Math.min(...logs)) - 1
  return growth >= minGrowth ? { growth } : {}
}

/** Whether each of the last two days with samples was within a tenth of the same day of the week before. */
function repeatsOf({ daily: { days } }: ResourceForecast, read: (day: Day) => number): { repeats?: true } {
  const isAlike = (age: number): boolean => {
    const [day, weekBefore] = [days.at(-age), days[days.length - age - 7]]
    if (!day) return true
    return [read, ({ mean }: Day) => mean].every(
      (of) => weekBefore && Math.abs(Math.log(of(day) / of(weekBefore))) < Math.log(1.1),
    )
  }
  return days.length > 7 && isAlike(1) && (days.length === 8 || isAlike(2)) ? { repeats: true } : {}
}

const throttledSince = (spans: readonly UsageSpan[], hour: number | undefined) =>
  hour === undefined
    ? {}
    : { throttledSinceRaise: throttledShareOf(spans.filter(({ startHour }) => startHour >= hour)) }

/** Usage may be above a limit that is set by usage for about one second in a quarter of an hour. */
const limitQuantile = 0.999

function memoryEvidence(
  workload: Workload,
  spans: readonly UsageSpan[],
  context: EvidenceContext,
  workspaces: Workspaces,
): MemoryEvidence | null {
  const { memoryFacts: facts, busiest, current } = workload
  const demand = memoryDemand(spans, facts)
  const ofBusiest = busiest && memoryDemand(busiest, facts).spans
  const forecasts = forecastsOf('memory', demand.spans, ofBusiest, context, workspaces)
  if (forecasts === null) return null
  const { together } = forecasts
  const kills = oomKillsOf(spans, context.atHour, workload.limitsSince?.memoryHour)
  // A heap below its limit grows without a leak, and its top is known without looking at the shape of usage.
  const hasHeap = facts?.heapLimitGib !== undefined
  const leak = hasHeap ? null : memoryLeakOf(together.daily.days)
  const flatTop =
    (hasHeap && facts?.heapLowGib !== undefined) || demand.cache !== null
      ? null
      : flatTopOf(spans, context.atHour, current?.memoryLimit)
  return {
    ...resourceEvidence('memory', forecasts, workload),
    scaled: together.knowledge.sizes.y95!,
    peakSeen: peakGib(spans),
    ...repeatsOf(together, ({ peak }) => peak),
    ...(cacheIsSmall(spans, facts) ? growthOf(together, 'trendPeak', ({ peak }) => peak) : {}),
    ...(kills === null ? {} : { kills }),
    ...(leak === null ? {} : { leak }),
    ...(demand.cache === null ? {} : { cache: demand.cache }),
    ...(flatTop === null ? {} : { flatTop }),
    ...(facts === undefined ? {} : { facts }),
  }
}

function resourceEvidence(
  resource: Resource,
  { together, busiest }: Forecasts,
  { reachHours = Number.POSITIVE_INFINITY }: Workload,
): Omit<ResourceEvidence, 'scaled' | 'peakSeen'> {
  const { age, sizes } = together.knowledge
  const { daily } = together
  const [p50, p95, p99, p995, p999] = percentilesBefore(daily, daily.days.length, [fortnight])[0]!
  return {
    together: replicaEvidence(resource, together),
    ...(busiest === null ? {} : { busiest: replicaEvidence(resource, busiest) }),
    age,
    reachHours: Math.min(together.reachHours, reachHours),
    mean: sizes.mean14!,
    p50: p50!,
    p95: p95!,
    p99: p99!,
    p995: p995!,
    p999: p999!,
    peak14: sizes.peak14!,
  }
}

const fortnight = {
  shares: [0.5, 0.95, 0.99, 0.995, 0.999],
  weightOf: (age: number): number => (age < 14 ? 1 : 0),
}

const replicaEvidence = (resource: Resource, forecast: ResourceForecast): ReplicaEvidence => ({
  levels: levelsOf(forecast),
  peakEver: forecast.knowledge.sizes.peakEver!,
  policies: publicPolicyList.map((policy) => policy[resource](forecast.view).value),
})

/** Adds the sizes for a preference with a shortfall, which only CPU has. */
function withPreferred(
  cpu: CpuEvidence,
  { together, busiest }: Forecasts,
  preference: SizingPreference,
  model: ModelRisks,
): CpuEvidence {
  const position = riskPositionOf('cpu', preference, model)
  const sizesOf = (forecast: ResourceForecast) =>
    preferredShifts.map((levels) => forecast.at(shiftLevels(levels, position)))
  return {
    ...cpu,
    together: { ...cpu.together, preferred: sizesOf(together) },
    ...(cpu.busiest === undefined || busiest === null
      ? {}
      : { busiest: { ...cpu.busiest, preferred: sizesOf(busiest) } }),
  }
}
