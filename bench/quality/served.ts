import { replacedBy } from '../../src/decisions/past-decisions.ts'
import { roundUpSize } from '../../src/rightsizing/advisor.ts'
import { evidenceByPreference } from '../../src/rightsizing/evidence.ts'
import type { Resource } from '../../src/rightsizing/input.ts'
import type { BuiltInModel } from '../../src/rightsizing/model/built-in-model.ts'
import { trainOnRows } from '../../src/rightsizing/model/model.ts'
import type { SizingModel } from '../../src/rightsizing/model/predict.ts'
import { requestRails } from '../../src/rightsizing/rails/apply-rails.ts'
import {
  cutOnceAWeek,
  cutRequestSlowly,
  keepBelowFloor,
  raiseOnceAWeek,
  raiseRequestWithCause,
} from '../../src/rightsizing/rails/rail.ts'
import { RecommendationWorkspace } from '../../src/rightsizing/risk/resource-forecast.ts'
import { sizeFromEvidence } from '../../src/rightsizing/size-from-evidence.ts'
import type { SizingEvidence } from '../../src/rightsizing/sizing-evidence.ts'
import type { ResourceRecommendation, SizingPreference } from '../../src/rightsizing/workload.ts'
import type { KnownSet } from './built-in-model.ts'
import { digestOf } from './digest.ts'
import { hourlySpans } from './replay.ts'
import { prices, type Requests } from './score.ts'
import { daySamples } from './traces.ts'

/** A user of our recommendations: how often they are applied, and the preference with which they are requested. */
export interface Applier {
  readonly everyDays: number
  readonly preference: SizingPreference
}

export interface Applied extends Applier {
  readonly requests: Readonly<Record<Resource, Requests>>
}

const minDaysToTrain = 2

/**
 * Replays the requests in force on each day if the recommendations of the endpoint are applied. At the start of a day
 * the service knows the digests of the days before, has trained on them if `trains` is set, and sees the requests that
 * are in force.
 */
export function replayServed(
  { set, rows }: KnownSet,
  builtInOf: (series: number) => BuiltInModel,
  appliers: readonly Applier[],
  trains: boolean,
  without: readonly RailName[] = [],
): Applied[] {
  const workspace = new RecommendationWorkspace()
  const spans = Array.from({ length: set.series }, (_, series) => hourlySpans(set, series, digestOf))
  const rails = requestRails.filter((rail) => !without.some((name) => railsByName[name] === rail))
  const before: (SizingEvidence | undefined)[] = []
  const all = appliers.map((applier) => new AppliedRequests(applier, set.series, set.days))
  for (let day = 1; day < set.days; day++) {
    const model = trains && day >= minDaysToTrain ? modelBefore(day, rows, builtInOf(0)) : {}
    for (let series = 0; series < set.series; series++) {
      if (daySamples(set, set.cpu, series, day).every(Number.isNaN)) continue
      const due = all.filter((one) => one.isDue(series, day))
      const known = { spans: spans[series]!.slice(0, day * 24) }
      if (due.length === 0) continue
      const previous = before[series]
      const context = {
        atHour: day * 24,
        model,
        modelVersion: String(day),
        builtIn: builtInOf(series),
        ...(previous === undefined || without.includes('model') ? {} : { before: previous }),
      }
      const evidenceFor = evidenceByPreference(known, context, workspace)
      before[series] = evidenceFor(undefined)
      for (const one of due) {
        const { preference } = one
        const evidence = { ...evidenceFor(preference), ...one.recent(series, day) }
        const options = { preference, prices, rails, round: roundUpSize }
        one.apply(series, day, sizeFromEvidence(evidence, one.current(series), options))
      }
    }
  }
  return all.map((one) => one.filled())
}

/** Guard rails by the names that `--without` accepts; `model` is the one that slows the change of models. */
export const railsByName = {
  floor: keepBelowFloor,
  raise: raiseRequestWithCause,
  cut: cutRequestSlowly,
  'cut again': cutOnceAWeek,
  'raise again': raiseOnceAWeek,
  model: undefined,
} as const
export type RailName = keyof typeof railsByName

const modelBefore = (day: number, rows: KnownSet['rows'], builtIn: BuiltInModel): SizingModel =>
  trainOnRows(
    new Map(
      [...rows].map(([name, perSeries]) => [
        name,
        perSeries.map((own) => own.filter((row) => row.day < day)),
      ]),
    ),
    builtIn,
  )

class AppliedRequests implements Applied {
  readonly everyDays: number
  readonly preference: SizingPreference
  readonly requests: Record<Resource, Requests>
  readonly #days: number
  readonly #last: Record<Resource, Float64Array>
  readonly #appliedOn: Int32Array

  constructor({ everyDays, preference }: Applier, series: number, days: number) {
    this.everyDays = everyDays
    this.preference = preference
    this.#days = days
    const nothing = (size: number) => new Float64Array(size).fill(Number.NaN)
    this.requests = { cpu: nothing(series * days), memory: nothing(series * days) }
    this.#last = { cpu: nothing(series), memory: nothing(series) }
    this.#appliedOn = new Int32Array(series).fill(-1000)
  }

  isDue(series: number, day: number): boolean {
    return day - this.#appliedOn[series]! >= this.everyDays
  }

  current(series: number) {
    const of = (resource: Resource): number | undefined => {
      const last = this.#last[resource][series]!
      return Number.isNaN(last) ? undefined : last
    }
    return { cpuRequest: of('cpu'), memoryRequest: of('memory') }
  }

  /** The largest requests in force in the last seven days, and those before the current ones. */
  recent(series: number, day: number) {
    const from = series * this.#days
    const known = (resource: Resource) => [
      ...this.requests[resource]
        .subarray(from + Math.max(0, day - 7), from + day)
        .filter((request) => !Number.isNaN(request)),
    ]
    const [cpu, memory] = [known('cpu'), known('memory')]
    const largest = (of: readonly number[]) => (of.length === 0 ? undefined : Math.max(...of))
    const weeks = [
      ...cpu.map((cpuRequest) => ({ cpuRequest })),
      ...memory.map((memoryRequest) => ({ memoryRequest })),
    ]
    const replaced = replacedBy(this.current(series), weeks)
    return {
      largest: { cpuRequest: largest(cpu), memoryRequest: largest(memory) },
      ...(replaced === undefined ? {} : { replaced }),
    }
  }

  apply(series: number, day: number, made: Readonly<Record<Resource, ResourceRecommendation | null>>): void {
    if (made.cpu === null && made.memory === null) return
    this.#appliedOn[series] = day
    for (const resource of ['cpu', 'memory'] as const) {
      const part = made[resource]
      if (part?.worthChanging) this.#last[resource][series] = part.target
      this.requests[resource][series * this.#days + day] = this.#last[resource][series]!
    }
  }

  /** The last request stays in force on days without a recommendation. */
  filled(): Applied {
    for (const requests of [this.requests.cpu, this.requests.memory])
      for (let i = 1; i < requests.length; i++)
        if (Number.isNaN(requests[i]!) && i % this.#days !== 0) requests[i] = requests[i - 1]!
    return this
  }
}
