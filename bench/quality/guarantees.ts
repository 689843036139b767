import { gatherEvidence } from '../../src/rightsizing/evidence.ts'
import type { UsageSpan } from '../../src/rightsizing/input.ts'
import type { BuiltInModel } from '../../src/rightsizing/model/built-in-model.ts'
import { trainOnRows } from '../../src/rightsizing/model/model.ts'
import type { SizingModel } from '../../src/rightsizing/model/predict.ts'
import { profileNames } from '../../src/rightsizing/risk/levels.ts'
import { RecommendationWorkspace } from '../../src/rightsizing/risk/resource-forecast.ts'
import { requestInForce, resources } from '../../src/rightsizing/usage.case.ts'
import type { RequestsAndLimits } from '../../src/rightsizing/workload.ts'
import type { KnownSet } from './built-in-model.ts'
import { digestOf } from './digest.ts'
import { hourlySpans } from './replay.ts'
import { sizesAfter, type WalkedDay, walk } from './walk.ts'

/** How often each guarantee was checked on real series, and how often it did not hold. */
export type Guarantees = Map<string, { checked: number; broken: number; example?: string }>

const rounding = 1 + 1e-6
/** Sizes are rounded up to a millicore or a MiB. */
const step = { cpu: 0.001, memory: 1 / 1024 } as const

/** Checks what no recommendation may do on every series of a set, whatever requests and limits are in force at first. */
export function checkGuarantees(
  { set, rows }: KnownSet,
  builtInOf: (series: number) => BuiltInModel,
): Guarantees {
  const results: Guarantees = new Map()
  const workspace = new RecommendationWorkspace()
  const middle = Math.floor(set.days / 2)
  const trained = trainOnRows(
    new Map([...rows].map(([name, own]) => [name, own.map((one) => one.filter(({ day }) => day < middle))])),
    builtInOf(0),
  )
  for (let series = 0; series < set.series; series++) {
    const spans = hourlySpans(set, series, digestOf)
    const builtIn = builtInOf(series)
    const check = (name: string, holds: boolean, day: number): void => {
      const result = results.getOrInsertComputed(name, () => ({ checked: 0, broken: 0 }))
      result.checked++
      if (holds) return
      result.broken++
      result.example ??= `series ${series}, day ${day}`
    }
    const peaks = peaksOf(spans.slice(0, 24))
    if (peaks === undefined) continue
    for (const first of firstSizes(peaks))
      for (const profile of profileNames) {
        const options = { first, preference: { profile }, builtIn, fromDay: 1, toDay: set.days, workspace }
        for (const walked of walk((day) => spans.slice(0, day * 24), options)) {
          checkDay(walked, check)
          if (profile === 'balanced') checkProfiles(walked, check)
        }
      }
    checkModel(spans.slice(0, middle * 24), middle, { builtIn, trained, workspace }, check)
    checkStationary(spans, set.days, firstSizes(peaks), { builtIn, workspace }, check)
    checkPageCache(peaks, { builtIn, workspace }, check)
  }
  return results
}

type Check = (name: string, holds: boolean, day: number) => void

interface Peaks {
  readonly cpu: number
  readonly memory: number | undefined
}

function peaksOf(spans: readonly UsageSpan[]): Peaks | undefined {
  const cpu = Math.max(...spans.map((span) => (span.cpu?.max ?? 0) / 1e6))
  const memory = Math.max(...spans.map((span) => (span.memory?.max ?? 0) / 2 ** 30))
  return cpu > 0 ? { cpu, memory: memory > 0 ? memory : undefined } : undefined
}

/** Far too much with limits that equal requests, too little with limits close to the peak, and requests without limits. */
function firstSizes({ cpu, memory }: Peaks): RequestsAndLimits[] {
  const sizes = (request: number, limit: number | undefined): RequestsAndLimits => ({
    cpuRequest: cpu * request,
    ...(limit === undefined ? {} : { cpuLimit: cpu * limit }),
    ...(memory === undefined ? {} : { memoryRequest: memory * request }),
    ...(memory === undefined || limit === undefined ? {} : { memoryLimit: memory * limit }),
  })
  return [sizes(4, 4), sizes(0.5, 1.05), sizes(2, undefined)]
}

function checkDay({ day, evidence, before, after }: WalkedDay, check: Check): void {
  for (const resource of resources) {
    const seen = evidence[resource]
    if (seen === undefined) continue
    const [limit, limitAfter] = [before[`${resource}Limit`], after[`${resource}Limit`]]
    const least = Math.max(seen.peakSeen * 1.15, resource === 'cpu' ? 0.1 : 0)
    if (limit !== undefined && limitAfter !== undefined && limitAfter < limit)
      check(
        'no limit is lowered below the peak + 15%, nor a CPU limit below 0.1',
        limitAfter * rounding >= Math.min(limit, least),
        day,
      )
    const [request, requestAfter] = [requestInForce(before, resource), requestInForce(after, resource)]
    if (
      request !== undefined &&
      requestAfter !== undefined &&
      requestAfter > request &&
      seen.growth === undefined
    )
      check(
        'no raise above the peak + 15% without a cause',
        requestAfter <= (seen.peakSeen * 1.15 + step[resource]) * rounding,
        day,
      )
  }
}

function checkProfiles({ day, evidence, before }: WalkedDay, check: Check): void {
  const [cost, balanced, safe] = profileNames.map((profile) => sizesAfter(evidence, before, { profile }))
  for (const resource of resources)
    for (const [loose, strict] of [
      [cost, balanced],
      [balanced, safe],
    ] as const)
      check(
        'a stricter profile is never smaller',
        (requestInForce(strict!, resource) ?? 0) * rounding >= (requestInForce(loose!, resource) ?? 0),
        day,
      )
}

interface Engine {
  readonly builtIn: BuiltInModel
  readonly workspace: RecommendationWorkspace
}

function checkModel(
  spans: readonly UsageSpan[],
  day: number,
  { builtIn, trained, workspace }: Engine & { readonly trained: SizingModel },
  check: Check,
): void {
  const atHour = day * 24
  const before = gatherEvidence({ spans }, { atHour, model: {}, builtIn }, workspace)
  const own = { atHour, model: trained, modelVersion: '1', builtIn, before }
  const after = gatherEvidence({ spans }, own, workspace)
  for (const resource of resources) {
    const [old, now] = [before[resource]?.together.levels, after[resource]?.together.levels]
    if (old === undefined || now === undefined) continue
    check(
      'a new model moves no size by more than 20% a day',
      now.every((level, at) => level <= old[at]! * 1.2 * rounding && level * 1.2 * rounding >= old[at]!),
      day,
    )
  }
}

/** The second week of the series again and again. */
function checkStationary(
  spans: readonly UsageSpan[],
  days: number,
  firsts: readonly RequestsAndLimits[],
  { builtIn, workspace }: Engine,
  check: Check,
): void {
  const week = days >= 14 ? 1 : 0
  const pattern = spans.slice(week * 168, week * 168 + 168)
  if (pattern.length < 168) return
  const all = Array.from({ length: 168 * 3 }, (_, hour) => ({ ...pattern[hour % 168]!, startHour: hour }))
  for (const first of firsts) {
    const options = { first, preference: {}, builtIn, fromDay: 8, toDay: 15, workspace }
    const directions = { cpu: 0, memory: 0 }
    let holds = true
    for (const { before, after } of walk((day) => all.slice(0, day * 24), options))
      for (const resource of resources) {
        const [was, is] = [requestInForce(before, resource), requestInForce(after, resource)]
        const direction = was === undefined || is === undefined ? 0 : Math.sign(is - was)
        if (direction === 0) continue
        if (direction === directions[resource]) holds = false
        directions[resource] = direction
      }
    check('on a stationary series, no second change in the same direction within a week', holds, 8)
  }
}

/** Page cache that fills the limit in force, whatever it is. */
function checkPageCache({ memory }: Peaks, { builtIn, workspace }: Engine, check: Check): void {
  if (memory === undefined) return
  for (const memoryFacts of [{}, { rssGib: memory, cacheGib: 100, mappedGib: 0 }]) {
    const spans: UsageSpan[] = []
    const fill = (day: number, current: RequestsAndLimits): UsageSpan[] => {
      while (spans.length < day * 24)
        spans.push({
          startHour: spans.length,
          hours: 1,
          cpu: null,
          memory: digestOf(Float32Array.of(current.memoryLimit!), 2 ** 30),
        })
      return spans
    }
    const first = { memoryRequest: memory * 1.2, memoryLimit: memory * 1.5 }
    const options = { first, preference: {}, builtIn, fromDay: 14, toDay: 28, workspace, memoryFacts }
    let raises = 0
    for (const { before, after } of walk(fill, options))
      if (
        after.memoryRequest! > before.memoryRequest! ||
        after.memoryLimit! > before.memoryLimit! + step.memory
      )
        raises++
    check('page cache that fills any limit leads to no second raise', raises <= 1, 14)
  }
}
