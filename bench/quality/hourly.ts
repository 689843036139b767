import { dailyUsage } from '../../src/rightsizing/history/days.ts'
import { resourceHistory } from '../../src/rightsizing/history/history.ts'
import type { UsageSpan } from '../../src/rightsizing/input.ts'
import { type BaseName, basesOf } from '../../src/rightsizing/model/grid.ts'
import { trainOnRows } from '../../src/rightsizing/model/model.ts'
import type { SizingModel } from '../../src/rightsizing/model/predict.ts'
import { type DayRow, dayRows, type FleetRows } from '../../src/rightsizing/model/training-rows.ts'
import { riskLevels } from '../../src/rightsizing/risk/levels.ts'
import { forecastResource, RecommendationWorkspace } from '../../src/rightsizing/risk/resource-forecast.ts'
import { exactly } from './digest.ts'
import { daySamples, type TraceSet } from './traces.ts'

/** CPU sizes of one series for each hour that counts, at one setting of a policy. */
type Sizes = Float64Array

export interface HourlyScore {
  readonly violation: number
  readonly shortfall: number
  /** Mean size in cores. */
  readonly cores: number
  /** Changes by 5% or more a day. */
  readonly changesPerDay: number
}

export interface HourlyPolicy {
  readonly name: string
  readonly scores: readonly HourlyScore[]
}

const historyDays = 7
const firstHour = historyDays * 24
/** Hours that the engine looks at, each of which takes the place of a day. */
const recentHours = 48
const leastCores = 0.01

/**
 * Sizes for the next hour by three policies. *Flat* is one size for each series, chosen with hindsight. The *trial* is the larger of a
 * quantile of the same hour on the last seven days and the p95 of the last hour, times a margin. *Engine* is the engine of daily
 * sizes with hours in the place of days: one forecast from the last hours, one from the same hour of the last days, each with its own
 * risk level and a model trained on other series. The larger counts.
 */
export function hourlyPolicies(set: TraceSet, every: number): HourlyPolicy[] {
  const chosen = Array.from({ length: Math.floor(set.series / every) }, (_, index) => index * every)
  const hours = chosen.map((series) => hoursOf(set, series))
  const models = modelsOfOthers(set, new Set(chosen))
  const workspace = new RecommendationWorkspace()
  const engine = hours.map((own) => engineSizes(own, models, workspace))
  const scoreOf = (sizesOf: (own: readonly Hour[], at: number) => Sizes) => score(hours, hours.map(sizesOf))
  return [
    { name: 'flat', scores: flatShares.map((share) => scoreOf((own) => flatSizes(own, share))) },
    { name: 'trial', scores: trialSettings.map((setting) => scoreOf((own) => trialSizes(own, setting))) },
    {
      name: 'engine',
      scores: levels.flatMap((recent) =>
        levels.map((same) => scoreOf((_, at) => larger(engine[at]![0]![recent]!, engine[at]![1]![same]!))),
      ),
    },
  ]
}

const trainedSeries = 60

/** A model for each past, trained on series that are not judged. */
function modelsOfOthers(set: TraceSet, judged: ReadonlySet<number>): SizingModel[] {
  const stride = Math.max(1, Math.floor(set.series / trainedSeries))
  const others = Array.from({ length: set.series }, (_, series) => series)
    .filter((series) => !judged.has(series))
    .filter((_, index) => index % stride === 0)
    .map((series) => hoursOf(set, series))
  return pasts.map((pastOf) => trainOnRows(hourRows(others, pastOf)))
}

const levels = riskLevels.cpu.map((_, level) => level)
const larger = (a: Sizes, b: Sizes): Sizes => a.map((size, at) => Math.max(size, b[at]!))

/** The samples of each hour, ascending. Hours without samples are left out, as a pod that does not run has no size. */
type Hour = { readonly hour: number; readonly sorted: Float32Array }

function hoursOf(set: TraceSet, series: number): Hour[] {
  const perHour = set.samplesPerDay / 24
  return Array.from({ length: set.days * 24 }, (_, hour) => {
    const ofDay = daySamples(set, set.cpu, series, Math.floor(hour / 24))
    const at = (hour % 24) * perHour
    return {
      hour,
      sorted: ofDay
        .slice(at, at + perHour)
        .filter((value) => value >= 0)
        .sort(),
    }
  }).filter(({ sorted }) => sorted.length > 0)
}

const quantile = (sorted: Float32Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const flatShares = [0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999, 1]
const trialSettings = [0.5, 0.9, 0.95, 0.99, 1].flatMap((share) =>
  [0.9, 1, 1.05, 1.1, 1.2, 1.3, 1.5, 2].map((margin) => ({ share, margin })),
)

function flatSizes(hours: readonly Hour[], share: number): Sizes {
  const all = Float32Array.from(hours.slice(firstHour).flatMap(({ sorted }) => [...sorted])).sort()
  return new Float64Array(Math.max(0, hours.length - firstHour)).fill(
    Math.max(leastCores, quantile(all, share)),
  )
}

function trialSizes(hours: readonly Hour[], { share, margin }: (typeof trialSettings)[number]): Sizes {
  return Float64Array.from({ length: Math.max(0, hours.length - firstHour) }, (_, index) => {
    const at = index + firstHour
    const same = Float32Array.from(sameHours(hours, at).flatMap(({ sorted }) => [...sorted])).sort()
    const size = Math.max(quantile(same, share), quantile(hours[at - 1]!.sorted, 0.95)) * margin
    return Math.max(leastCores, size)
  })
}

/** The same hour of the last seven days, oldest first. */
const sameHours = (hours: readonly Hour[], at: number): Hour[] => {
  const found: Hour[] = []
  for (let before = Math.max(0, at - firstHour); before < at; before++)
    if ((hours[at]!.hour - hours[before]!.hour) % 24 === 0) found.push(hours[before]!)
  return found
}

/** Each hour takes the place of a day, and its samples those of the hours of that day. */
const asDays = (hours: readonly Hour[]): UsageSpan[] =>
  hours.map(({ sorted }, day) => ({
    startHour: day * 24,
    hours: 24,
    cpu: exactly(sorted, 1e6),
    memory: null,
  }))

type Past = (hours: readonly Hour[], at: number) => readonly Hour[]
const pasts: readonly Past[] = [
  (hours, at) => hours.slice(Math.max(0, at - recentHours), at),
  (hours, at) => sameHours(hours, at),
]

/** By past, then by risk level. */
function engineSizes(
  hours: readonly Hour[],
  models: readonly SizingModel[],
  workspace: RecommendationWorkspace,
): Sizes[][] {
  return pasts.map((pastOf, index) => {
    const sizes = levels.map(() => new Float64Array(Math.max(0, hours.length - firstHour)).fill(leastCores))
    for (let at = firstHour; at < hours.length; at++) {
      const past = pastOf(hours, at)
      const context = { atHour: past.length * 24, model: models[index]! }
      const forecast = forecastResource(asDays(past), 'cpu', context, workspace.cpu.together)
      for (const [level, { request }] of (forecast?.answers ?? []).entries())
        sizes[level]![at - firstHour] = request
    }
    return sizes
  })
}

function hourRows(all: readonly (readonly Hour[])[], pastOf: Past): FleetRows {
  const rows = new Map(basesOf('cpu').map((name): [BaseName, DayRow[][]] => [name, []]))
  for (const hours of all) {
    for (const own of rows.values()) own.push([])
    for (let at = firstHour; at < hours.length; at += hoursPerRow) {
      const spans = asDays([...pastOf(hours, at), hours[at]!])
      const usage = dailyUsage(resourceHistory(spans, 'cpu'), spans.length * 24)
      for (const [name, own] of dayRows(usage, 'cpu')) {
        const row = own.at(-1)
        if (row !== undefined)
          rows
            .get(name)!
            .at(-1)!
            .push({ ...row, day: at })
      }
    }
  }
  return rows
}

/** Hours next to each other are much alike. */
const hoursPerRow = 11

function score(series: readonly (readonly Hour[])[], sizes: readonly Sizes[]): HourlyScore {
  let [above, count, short, used, cores, hours, changes] = [0, 0, 0, 0, 0, 0, 0]
  for (const [at, own] of series.entries()) {
    let last = Number.NaN
    for (const [index, { sorted }] of own.slice(firstHour).entries()) {
      const size = sizes[at]![index]!
      for (const value of sorted) {
        used += value
        if (value <= size * (1 + 1e-6)) continue
        above++
        short += value - size
      }
      count += sorted.length
      cores += size
      hours++
      if (Math.abs(size - last) >= 0.05 * last) changes++
      last = size
    }
  }
  return {
    violation: above / count,
    shortfall: short / used,
    cores: cores / hours,
    changesPerDay: (changes / hours) * 24,
  }
}

/** The cheapest setting of a policy that is above its size no more often and no further. */
export const cheapestAt = (
  { scores }: HourlyPolicy,
  most: Pick<HourlyScore, 'violation' | 'shortfall'>,
): HourlyScore | undefined =>
  scores
    .filter(({ violation, shortfall }) => violation <= most.violation && shortfall <= most.shortfall)
    .sort((a, b) => a.cores - b.cores)[0]
