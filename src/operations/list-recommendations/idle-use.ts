import type { HourlyUse } from '../../usage/reading/hourly-use.ts'

/** Below this, and below a hundredth of the request, a container does nothing but wait. */
const leastCores = 0.001
const requestShare = 0.01

/** Since when a container has not used CPU, from its pods. Hours since 1970. */
export class IdleUse {
  /** In which it was last seen; 0 where it never was. */
  lastHour = 0
  #firstHour = Number.POSITIVE_INFINITY
  #lastBusyHour = Number.NEGATIVE_INFINITY

  add(use: HourlyUse): void {
    if (use.length === 0) return
    this.#firstHour = Math.min(this.#firstHour, use.hours[0]!)
    this.lastHour = Math.max(this.lastHour, use.hours[use.length - 1]!)
    for (const { from, to, setting } of use.steps().toReversed()) {
      const threshold = Math.max(leastCores, requestShare * (setting.cpuRequestCores ?? 0))
      for (let index = to - 1; index >= from; index--) {
        if (use.hours[index]! <= this.#lastBusyHour) return
        if (use.cores[index]! <= threshold) continue
        this.#lastBusyHour = use.hours[index]!
        return
      }
    }
  }

  /** The hour since which no hour was busy; infinite where nothing was seen. */
  get sinceHour(): number {
    return Math.max(this.#firstHour, this.#lastBusyHour + 1)
  }
}
