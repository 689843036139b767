import { type DailyUsage, dailyUsage } from '../history/days.ts'
import {
  type HistoryView,
  HistoryWorkspace,
  type ResourceHistory,
  resourceHistory,
  viewAt,
} from '../history/history.ts'
import { PercentileHistogram } from '../history/percentile-histogram.ts'
import type { Resource, UsageSpan } from '../input.ts'
import { type BuiltInModel, builtInModel } from '../model/built-in-model.ts'
import { ownPastOf, SharesWorkspace } from '../model/expected-shares.ts'
import { cpuFeatures, memoryFeatures, type SeriesFeatures } from '../model/features.ts'
import { type BaseName, baseOf, basesOf, featuresByBase, floors } from '../model/grid.ts'
import type { SizingModel } from '../model/predict.ts'
import {
  type Decision,
  decideAllLevels,
  type Outlook,
  outlookOf,
  type RiskPosition,
  requestAt,
} from './decide.ts'
import { maxShare } from './levels.ts'

export interface ForecastContext {
  /** Hours since 1970: usage that begins later is ignored. */
  readonly atHour: number
  /** Empty if the organisation has no model yet. */
  readonly model: SizingModel
  /** The model of other fleets; the shipped one if absent. */
  readonly builtIn?: BuiltInModel
}

/** The forecast of one resource for the next day from its usage up to an hour. */
export interface ResourceForecast {
  readonly history: ResourceHistory
  readonly view: HistoryView
  readonly daily: DailyUsage
  readonly knowledge: SeriesFeatures
  /** From the first hour with samples to the end of the last span. */
  readonly reachHours: number
  readonly outlooks: ReadonlyMap<BaseName, Outlook>
  /** Decisions by risk level, loosest first. */
  readonly answers: readonly Decision[]
  /**
   * The request at a position among the risk levels. It is never far above the highest usage seen, however cheap that
   * would be.
   */
  at(position: RiskPosition): number
}

/** No request is larger than this, however cheap it would be. */
export const highestRequest = (resource: Resource, peakEver: number): number =>
  Math.max(floors[resource], peakEver * maxAbovePeak)

const maxAbovePeak = 2.5

export function forecastResource(
  spans: readonly UsageSpan[],
  resource: Resource,
  { atHour, model, builtIn = builtInModel }: ForecastContext,
  workspace: ForecastWorkspace = newForecastWorkspace(),
): ResourceForecast | null {
  const known = spans.every((span) => span.startHour < atHour)
    ? spans
    : spans.filter((span) => span.startHour < atHour)
  const history = resourceHistory(known, resource, workspace.history)
  const daily = dailyUsage(history, atHour, workspace.histogram)
  const knowledge = (resource === 'cpu' ? cpuFeatures : memoryFeatures)(daily, daily.days.length)
  if (knowledge === null) return null
  const featuresAt = featuresByBase(knowledge)
  const outlooks = new Map(
    basesOf(resource).map((name) => {
      const base = baseOf(knowledge, name)
      const shares = workspace.shares[name]
      const row = {
        base,
        features: featuresAt(base, shares.features),
        ownPast: ownPastOf(resource, knowledge, base, shares.past),
      }
      return [name, outlookOf(model[name] ?? null, name, row, builtIn, maxShare[resource], shares)]
    }),
  )
  const answers = decideAllLevels(resource, outlooks)
  const highest = highestRequest(resource, knowledge.sizes.peakEver ?? 0)
  return {
    history,
    view: viewAt(history, atHour),
    daily,
    knowledge,
    reachHours: reachOf(history),
    outlooks,
    answers,
    at: (position) => Math.min(highest, requestAt(position, resource, outlooks, answers)),
  }
}

/**
 * A merged day begins at midnight, even if its first sample came later. The hours that the first one lacks were not
 * measured and do not count.
 */
function reachOf({ startHours, endHours }: ResourceHistory): number {
  const [start, end, last] = [startHours[0]!, endHours[0]!, endHours[endHours.length - 1]!]
  const lacking = start % 24 === 0 ? Math.max(0, Math.min(startHours[1] ?? end, start + 24) - end) : 0
  return last - start - lacking
}

/** Memory in which forecasts are made one after the other. Each is valid until the next is made. */
interface ForecastWorkspace {
  readonly history: HistoryWorkspace
  readonly histogram: PercentileHistogram
  readonly shares: Readonly<Record<BaseName, SharesWorkspace>>
}

/**
 * Memory in which recommendations are made one after the other. A caller that makes many passes the same one each time.
 */
export class RecommendationWorkspace {
  readonly #histogram = new PercentileHistogram()
  readonly cpu = this.#replicaWorkspaces()
  readonly memory = this.#replicaWorkspaces()
  /** For forecasts of an earlier day, while those of today are still used. */
  readonly earlier = this.#replicaWorkspaces()

  /** The busiest replica has its own memory, because its forecast is used together with that of all replicas. */
  #replicaWorkspaces(): { readonly together: ForecastWorkspace; readonly busiest: ForecastWorkspace } {
    return { together: newForecastWorkspace(this.#histogram), busiest: newForecastWorkspace(this.#histogram) }
  }
}

function newForecastWorkspace(histogram = new PercentileHistogram()): ForecastWorkspace {
  const newShares = () => new SharesWorkspace()
  return {
    history: new HistoryWorkspace(),
    histogram,
    shares: { p95: newShares(), p99: newShares(), p995: newShares(), peak: newShares() },
  }
}
