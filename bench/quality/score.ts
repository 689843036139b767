import { dayHours } from '../../src/domain/time.ts'
import { daySamples, type Samples, type TraceSet } from './traces.ts'

/** Requests of one policy: [series][day], NaN if it has no answer. */
export type Requests = Float64Array

export interface Score {
  /** Share of samples above the request (CPU), or share of days with such a sample (memory). */
  readonly violation: number
  /** Usage above the request divided by all usage. */
  readonly shortfall: number
  readonly usdPerMonth: number
  /** Day-to-day changes by 5% or more, per 30 days of a series. */
  readonly changesPerMonth: number
  readonly days: number
}

export const floors = { cpu: 0.01, memory: 100e6 / 2 ** 30 } as const
export const pricesPerHour = { cpu: 0.031611, memory: 0.004237 } as const
export const prices = { corePerHourUsd: pricesPerHour.cpu, gibPerHourUsd: pricesPerHour.memory }
export type Resource = keyof typeof floors

/** Samples are float32: a request of exactly 0.05 is not exceeded by a sample of 0.0500000007. */
const roundingOfSamples = 1e-6
const minSamplesOfDay = 72
const daysPerMonth = 30
/** Allows for rounding errors. */
const minChange = 0.05 * (1 - 1e-9)

/** Returns which days count, and which of those are scored: [series][day]. Short sets need only four days. */
export function countDays(set: TraceSet): { counts: Uint8Array; scored: Uint8Array; age: Uint8Array } {
  const counts = new Uint8Array(set.series * set.days)
  const scored = new Uint8Array(counts.length)
  const age = new Uint8Array(counts.length)
  const minDays = set.days <= 10 ? 4 : 7
  for (let s = 0; s < set.series; s++) {
    let total = 0
    for (let d = 0; d < set.days; d++) {
      let present = 0
      for (const value of daySamples(set, set.cpu, s, d)) if (!Number.isNaN(value)) present++
      age[s * set.days + d] = total
      if (present >= minSamplesOfDay) {
        counts[s * set.days + d] = 1
        total++
      }
    }
    if (total < minDays) continue
    for (let i = s * set.days; i < (s + 1) * set.days; i++) scored[i] = counts[i]! && age[i]! > 0 ? 1 : 0
  }
  return { counts, scored, age }
}

/** A scored day: its samples ascending, and for each sample the sum of it and all above it. */
interface ScoredDay {
  readonly series: number
  readonly index: number
  readonly samples: Float32Array
  readonly sumFrom: Float64Array
}

/** Samples of the scored days, sorted once, so that a policy is scored by binary search instead of counting. */
export interface Exam {
  readonly resource: Resource
  readonly days: readonly ScoredDay[]
  readonly samplesPerDay: number
}

export function exam(set: TraceSet, resource: Resource, scored: Uint8Array): Exam {
  const samples: Samples = resource === 'cpu' ? set.cpu : set.memory!
  const days: ScoredDay[] = []
  for (let index = 0; index < scored.length; index++) {
    if (!scored[index]) continue
    const series = Math.floor(index / set.days)
    const sorted = daySamples(set, samples, series, index % set.days)
      .filter((value) => !Number.isNaN(value))
      .sort()
    const sumFrom = new Float64Array(sorted.length + 1)
    for (let i = sorted.length - 1; i >= 0; i--) sumFrom[i] = sumFrom[i + 1]! + sorted[i]!
    days.push({ series, index, samples: sorted, sumFrom })
  }
  return { resource, days, samplesPerDay: set.samplesPerDay }
}

/** A day costs its request for the hours that have samples, so that a machine that is off costs nothing. */
export function score({ resource, days, samplesPerDay }: Exam, requests: Requests): Score {
  let [above, present, short, used, cost, badDays, transitions, changes] = [0, 0, 0, 0, 0, 0, 0, 0]
  let [lastSeries, last] = [-1, 0]
  for (const { series, index, samples, sumFrom } of days) {
    const asked = requests[index]!
    const request = Math.max(Number.isNaN(asked) ? 0 : asked, floors[resource])
    const first = firstAbove(samples, request * (1 + roundingOfSamples))
    const dayAbove = samples.length - first
    above += dayAbove
    present += samples.length
    short += sumFrom[first]! - dayAbove * request
    used += sumFrom[0]!
    if (dayAbove > 0) badDays++
    cost += request * (samples.length / samplesPerDay)
    if (series === lastSeries) {
      transitions++
      if (Math.abs(request - last) >= minChange * last) changes++
    }
    ;[lastSeries, last] = [series, request]
  }
  return {
    violation: resource === 'cpu' ? above / present : badDays / days.length,
    shortfall: short / used,
    usdPerMonth: (cost / days.length) * pricesPerHour[resource] * dayHours * daysPerMonth,
    changesPerMonth: transitions === 0 ? 0 : (changes / transitions) * daysPerMonth,
    days: days.length,
  }
}

function firstAbove(samples: Float32Array, size: number): number {
  let [low, high] = [0, samples.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (samples[middle]! > size) high = middle
    else low = middle + 1
  }
  return low
}
