import type { PublicPolicy } from '../../src/rightsizing/estimators/public-policies.ts'
import { resourceHistory, viewAt } from '../../src/rightsizing/history/history.ts'
import {
  type Resource,
  type UsageDistribution,
  type UsageSpan,
  unitsOf,
} from '../../src/rightsizing/input.ts'
import type { Requests } from './score.ts'
import { daySamples, type TraceSet } from './traces.ts'

export type Summarise = (samples: Float32Array, unit: number) => UsageDistribution | null

/** Returns one series hour by hour, as the store would return it. */
export function hourlySpans(set: TraceSet, series: number, summarise: Summarise): UsageSpan[] {
  const perHour = set.samplesPerDay / 24
  const hoursOf = (resource: Resource, day: number, hour: number): UsageDistribution | null => {
    const samples = resource === 'cpu' ? set.cpu : set.memory
    if (samples === null) return null
    const ofDay = daySamples(set, samples, series, day)
    return summarise(ofDay.subarray(hour * perHour, (hour + 1) * perHour), unitsOf[resource])
  }
  return Array.from({ length: set.days * 24 }, (_, startHour) => {
    const day = Math.floor(startHour / 24)
    const cpu = hoursOf('cpu', day, startHour % 24)
    return { startHour, hours: 1, cpu, memory: hoursOf('memory', day, startHour % 24) }
  })
}

/**
 * Returns what a policy recommends at the start of each day, from the days before. If it has no answer, its last one is
 * kept.
 */
export function replayPolicies(
  set: TraceSet,
  policies: readonly PublicPolicy[],
  resource: Resource,
  summarise: Summarise,
): Map<string, Requests> {
  const requests = new Map(
    policies.map(({ name }) => [name, new Float64Array(set.series * set.days).fill(Number.NaN)]),
  )
  for (let s = 0; s < set.series; s++) {
    const history = resourceHistory(hourlySpans(set, s, summarise), resource)
    for (const policy of policies) {
      const answers = requests.get(policy.name)!
      for (let d = 1; d < set.days; d++)
        answers[s * set.days + d] =
          policy[resource](viewAt(history, d * 24)).value ?? answers[s * set.days + d - 1]!
    }
  }
  return requests
}

/** Returns requests that change only every n days, counted from the first answer for a series. */
export function appliedEvery(everyDays: number, requests: Requests, days: number): Requests {
  const applied = requests.slice()
  let first = 0
  for (let i = 1; i < applied.length; i++) {
    if (i % days === 0 || Number.isNaN(applied[i - 1]!)) first = i
    else if ((i - first) % everyDays !== 0) applied[i] = applied[i - 1]!
  }
  return applied
}
