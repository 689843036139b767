import { hashName } from '../domain/hash-name.ts'
import { dailyUsage } from './history/days.ts'
import { resourceHistory } from './history/history.ts'
import type { PercentileHistogram } from './history/percentile-histogram.ts'
import type { UsageSpan } from './input.ts'
import type { FleetSeries } from './model/model.ts'

/** Training data from one container, all its pods together. Hours are counted from 1970. */
export const fleetSeries = (
  id: string,
  spans: readonly UsageSpan[],
  endHour: number,
  histogram: PercentileHistogram,
): FleetSeries => ({
  id,
  usage: {
    cpu: dailyUsage(resourceHistory(spans, 'cpu'), endHour, histogram),
    memory: dailyUsage(resourceHistory(spans, 'memory'), endHour, histogram),
  },
})

/**
 * Keeps the values whose names have the lowest hashes. The choice does not depend on the order in which they are added,
 * and changes little when new ones are added.
 */
export class FleetSample<T> {
  readonly #most: number
  readonly #kept = new Map<string, { readonly hash: number; readonly value: T }>()
  #below = 2 ** 32

  constructor(most: number) {
    this.#most = most
  }

  wants(name: string): boolean {
    return hashName(name) < this.#below
  }

  add(name: string, value: T): void {
    this.#kept.set(name, { hash: hashName(name), value })
    while (this.#kept.size > this.#most) {
      this.#below /= 2
      for (const [other, { hash }] of this.#kept) if (hash >= this.#below) this.#kept.delete(other)
    }
  }

  get(name: string): T | undefined {
    return this.#kept.get(name)?.value
  }

  all(): [name: string, value: T][] {
    return [...this.#kept].map(([name, { value }]) => [name, value])
  }
}
