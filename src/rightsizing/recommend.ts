import { keepUtilisation } from './adjustments/autoscaler.ts'
import { draftBand } from './adjustments/band.ts'
import { confidenceOf, isIntermittent } from './adjustments/confidence.ts'
import { DraftBand } from './adjustments/draft.ts'
import { finishRecommendation } from './adjustments/finish.ts'
import { memoryLeakOf, oomFloor } from './adjustments/memory-safety.ts'
import type { RecommendationContext } from './context.ts'
import { forecastWorkload, type WorkloadForecast } from './forecast-workload.ts'
import type { Resource, UsageSpan } from './input.ts'
import { coresText, gibText, percentText, reachText, resourceNames, timesText } from './phrases.ts'
import type { Recommendation, ResourceRecommendation, Workload } from './workload.ts'
import { RecommendationWorkspace } from './workspace.ts'

const leastHours = 6

export const recommend = (
  workload: Workload,
  context: RecommendationContext,
  workspace = new RecommendationWorkspace(),
): Recommendation => recommendFrom(forecastWorkload(workload, context, workspace), workload, context)

/** The recommendation at the context's risk for a workload whose usage was forecast already. */
export function recommendFrom(
  forecast: WorkloadForecast,
  workload: Workload,
  context: RecommendationContext,
): Recommendation {
  const { spans, hours } = forecast
  if (hours < leastHours) {
    const reason = `Too little data: only ${ranText(spans, hours)} of usage are known, and at least ${leastHours} hours are needed.`
    return { cpu: null, memory: null, confidence: 0, days: hours / 24, reasons: [reason] }
  }
  const cpu = recommendCpu(forecast, workload, context)
  const memory = recommendMemory(forecast, workload, context)
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

interface Judged {
  readonly part: ResourceRecommendation | null
  /** Days. */
  readonly age: number
  readonly reachHours: number
}

const noUsage: Judged = { part: null, age: 0, reachHours: 0 }

/** Held back in more periods than this, a container wants for CPU. */
const sufferingShare = 0.05

function recommendCpu({ cpu }: WorkloadForecast, workload: Workload, context: RecommendationContext): Judged {
  if (cpu === null) return noUsage
  const draft = new DraftBand()
  const { together, busiest, startPeakCores, throttledShare } = cpu
  if (startPeakCores !== null)
    draft.tell(
      'starts',
      `CPU: peaks of ${coresText(startPeakCores)} come only with a start and are left to the limit.`,
    )
  if (throttledShare > 0.01)
    draft.tell(
      'throttling',
      `CPU: held back by its limit in ${percentText(throttledShare)} of periods, which counts as demand it could not have.`,
    )
  const { age, sizes } = together.knowledge
  draftBand(draft, 'cpu', together, busiest, context)
  keepUtilisation(draft, 'cpu', sizes.s95!, workload.autoscaler?.cpuTarget, workload.current?.cpuRequest)
  const evidence = {
    peak: Math.max(sizes.peakEver!, startPeakCores ?? 0),
    suffers: throttledShare > sufferingShare,
  }
  return {
    age,
    reachHours: together.reachHours,
    part: finishRecommendation('cpu', draft, evidence, workload, context),
  }
}

function recommendMemory(
  { memory, spans }: WorkloadForecast,
  workload: Workload,
  context: RecommendationContext,
): Judged {
  if (memory === null) return noUsage
  const draft = new DraftBand()
  const { together, busiest } = memory
  const { age, sizes } = together.knowledge
  draftBand(draft, 'memory', together, busiest, context)
  const { memoryRequest, memoryLimit } = workload.current ?? {}
  const leak = memoryLeakOf(together.daily.days)
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
    reachHours: together.reachHours,
    part: finishRecommendation('memory', draft, evidence, workload, context),
  }
}
