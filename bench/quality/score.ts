import { daySamples, type Samples, type TraceSet } from './traces.ts'

/** Requests of one policy: [series][day], NaN where it could not say. */
export type Requests = Float64Array

export interface Score {
  /** Share of samples above the request (CPU), or share of days with one (memory). */
  readonly violation: number
  /** Usage above the request over all usage. */
  readonly shortfall: number
  readonly usdPerMonth: number
  /** Share of day-to-day changes larger than 10%. */
  readonly churn: number
  readonly days: number
}

export const floors = { cpu: 0.01, memory: 100e6 / 2 ** 30 } as const
export const pricesPerHour = { cpu: 0.031611, memory: 0.004237 } as const
export type Resource = keyof typeof floors

const minSamplesOfDay = 72
const hoursPerDay = 24
const daysPerMonth = 30

/** Which days count, and which of those are scored: [series][day]. Short sets need only four days. */
export function countDays(set: TraceSet): { counts: Uint8Array; scored: Uint8Array; age: Uint8Array } {
  const counts = new Uint8Array(set.series * set.days)
  const scored = new Uint8Array(counts.length)
  const age = new Uint8Array(counts.length)
  const minDays = set.days <= 10 ? 4 : 7
  for (let s = 0; s < set.series; s++) {
    let total = 0
    for (let d = 0; d < set.days; d++) {
      let present = 0
      for (const value of daySamples(set, set.cpu, s, d)) if (value === value) present++
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

/** A day costs its request for the hours it has samples of, so that a machine that is off costs nothing. */
export function score(set: TraceSet, resource: Resource, requests: Requests, scored: Uint8Array): Score {
  const samples: Samples = resource === 'cpu' ? set.cpu : set.memory!
  let [above, present, short, used, cost, days, badDays, changes, churned] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let s = 0; s < set.series; s++) {
    let last = Number.NaN
    for (let d = 0; d < set.days; d++) {
      if (!scored[s * set.days + d]) continue
      const asked = requests[s * set.days + d]!
      const request = Math.max(asked === asked ? asked : 0, floors[resource])
      let [dayPresent, dayAbove] = [0, 0]
      for (const value of daySamples(set, samples, s, d)) {
        if (value !== value) continue
        dayPresent++
        used += value
        if (value > request * (1 + 1e-6)) {
          dayAbove++
          short += value - request
        }
      }
      days++
      present += dayPresent
      above += dayAbove
      if (dayAbove > 0) badDays++
      cost += request * (dayPresent / set.samplesPerDay)
      if (last === last) {
        changes++
        if (Math.abs(request - last) > 0.1 * last) churned++
      }
      last = request
    }
  }
  return {
    violation: resource === 'cpu' ? above / present : badDays / days,
    shortfall: short / used,
    usdPerMonth: (cost / days) * pricesPerHour[resource] * hoursPerDay * daysPerMonth,
    churn: changes === 0 ? 0 : churned / changes,
    days,
  }
}
