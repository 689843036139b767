import type { EvidenceContext } from './context.ts'
import { cpuDemand } from './cpu-demand.ts'
import type { Resource, UsageSpan } from './input.ts'
import { memoryDemand } from './memory/memory-evidence.ts'
import type { ModelLevels } from './rails/model-change.ts'
import {
  forecastResource,
  type RecommendationWorkspace,
  type ResourceForecast,
} from './risk/resource-forecast.ts'
import type { Workload } from './workload.ts'

/** All replicas together, and one that is always busier than the others, if there is one. */
export interface Forecasts {
  readonly together: ResourceForecast
  readonly busiest: ResourceForecast | null
}

export function forecastsOf(
  resource: Resource,
  spans: readonly UsageSpan[],
  ofBusiest: readonly UsageSpan[] | undefined,
  context: EvidenceContext,
  workspaces: RecommendationWorkspace[Resource],
): Forecasts | null {
  const together = forecastResource(spans, resource, context, workspaces.together)
  if (together === null) return null
  const busiest = ofBusiest && forecastResource(ofBusiest, resource, context, workspaces.busiest)
  return { together, busiest: busiest ?? null }
}

/** What the model of the context makes of the usage up to an earlier hour. */
export function levelsAt(
  atHour: number,
  resource: Resource,
  workload: Workload,
  all: readonly UsageSpan[],
  context: EvidenceContext,
  workspace: RecommendationWorkspace,
): ModelLevels | undefined {
  const isBefore = ({ startHour }: UsageSpan): boolean => startHour < atHour
  const [spans, busiest] = [all.filter(isBefore), workload.busiest?.filter(isBefore)]
  if (spans.length === 0) return undefined
  const { memoryFacts } = workload
  const demandOf = (some: readonly UsageSpan[]) => memoryDemand(some, memoryFacts).spans
  const then = { ...context, atHour }
  const forecasts =
    resource === 'cpu'
      ? forecastsOf('cpu', cpuDemand(workload, spans).spans, busiest, then, workspace.earlier)
      : forecastsOf('memory', demandOf(spans), busiest && demandOf(busiest), then, workspace.earlier)
  if (forecasts === null) return undefined
  const { together, busiest: alone } = forecasts
  return { together: levelsOf(together), ...(alone === null ? {} : { busiest: levelsOf(alone) }) }
}

export const levelsOf = ({ answers }: ResourceForecast): number[] => answers.map(({ request }) => request)
