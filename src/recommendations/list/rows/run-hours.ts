import { dayHours, hourSeconds } from '../../../domain/time.ts'
import type { HourlyUse } from '../../../usage/reading/hourly-use.ts'

/** At least one of so many consecutive days is a working day. */
const recentDays = 3
/** A container that runs less than this share of its mean time was scaled down. */
const scaledDownShare = 0.8

/** Adds up how long the pods of a container ran, and how long on each of the last days. Hours are since 1970. */
export class RunHours {
  readonly #endHour: number
  #seconds = 0
  readonly #secondsOfDay: number[] = Array.from({ length: recentDays }, () => 0)

  constructor(endHour: number) {
    this.#endHour = endHour
  }

  add({ hours, seconds, length }: HourlyUse): void {
    for (let index = 0; index < length; index++) {
      this.#seconds += seconds[index]!
      const day = Math.floor((this.#endHour - 1 - hours[index]!) / dayHours)
      if (day >= 0 && day < recentDays) this.#secondsOfDay[day]! += seconds[index]!
    }
  }

  /**
   * How much it ran on the busiest of the last days, as a share of its mean day in so many hours; 1 if it was not scaled
   * down, or if that is not known. Ten replicas for eleven days and two for three days: 24 x 2 / 199 -> 0.24.
   */
  recentShare(hours: number): number {
    if (hours < (recentDays + 1) * dayHours) return 1
    const meanHours = (this.#seconds / hourSeconds / hours) * dayHours
    const recentHours = Math.max(...this.#secondsOfDay) / hourSeconds
    const share = recentHours / meanHours
    return share > 0 && share < scaledDownShare ? share : 1
  }
}
