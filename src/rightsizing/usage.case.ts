import type { Resource, UsageDistribution, UsageSpan } from './input.ts'
import type { RequestsAndLimits, SizeRecommendation } from './workload.ts'

/** A distribution in which each sample has a bucket of its own. */
export function distribution(values: readonly number[], unit: number): UsageDistribution | null {
  if (values.length === 0) return null
  const scaled = values.map((value) => value * unit)
  return {
    count: scaled.length,
    sum: scaled.reduce((a, b) => a + b, 0),
    max: Math.max(...scaled),
    *[Symbol.iterator]() {
      for (const value of scaled) yield { value, count: 1 }
    },
  }
}

/** Hourly spans of this many days, with the given cores and GiB by hour. */
export function spansOf(
  days: number,
  usage: { cpu?: (hour: number) => number[]; gib?: (hour: number) => number[] },
  more: (hour: number) => Partial<UsageSpan> = () => ({}),
): UsageSpan[] {
  return Array.from({ length: days * 24 }, (_, hour) => ({
    startHour: hour,
    hours: 1,
    cpu: distribution(usage.cpu?.(hour) ?? [], 1e6),
    memory: distribution(usage.gib?.(hour) ?? [], 2 ** 30),
    ...more(hour),
  }))
}

export const prices = { corePerHourUsd: 0.031611, gibPerHourUsd: 0.004237 }

export const resources = ['cpu', 'memory'] as const satisfies readonly Resource[]

/** What is in force once a recommendation was applied. */
export function applied(made: SizeRecommendation, current: RequestsAndLimits): RequestsAndLimits {
  const after = { ...current }
  for (const resource of resources) {
    const part = made[resource]
    if (part === null) continue
    if (part.worthChanging) after[`${resource}Request`] = part.target
    if (part.worthChanging || part.changesLimit) after[`${resource}Limit`] = part.limit ?? undefined
  }
  return after
}

/** A limit without a request is the request too. */
export const requestInForce = (sizes: RequestsAndLimits, resource: Resource): number | undefined =>
  sizes[`${resource}Request`] ?? sizes[`${resource}Limit`]
