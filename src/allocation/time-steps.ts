import type { HourRange } from '../usage/reading/pod-usage.ts'

export const stepNames = ['hour', 'day', 'week'] as const
export type StepName = (typeof stepNames)[number]

/**
 * Length of a step, and the first hour since 1970 at which one began. Weeks begin on Mondays, and 1970 began on a
 * Thursday.
 */
const stepsByName: Readonly<Record<StepName, { readonly hours: number; readonly offset: number }>> = {
  hour: { hours: 1, offset: 0 },
  day: { hours: 24, offset: 0 },
  week: { hours: 168, offset: 96 },
}

/**
 * A window that is divided into hours, days or weeks in UTC. The first and the last step end at the limits of the
 * window.
 */
export class TimeSteps {
  readonly name: StepName
  readonly count: number
  readonly #range: HourRange
  readonly #hours: number
  readonly #offset: number
  readonly #first: number

  constructor(range: HourRange, name: StepName) {
    const { hours, offset } = stepsByName[name]
    this.name = name
    this.#range = range
    this.#hours = hours
    this.#offset = offset
    this.#first = this.#numberOf(range.from)
    this.count = range.to > range.from ? this.#numberOf(range.to - 1) - this.#first + 1 : 0
  }

  /** Index of the step that an hour of the window belongs to. */
  indexOf(hour: number): number {
    return this.#numberOf(hour) - this.#first
  }

  /** The hours of a step that lie in the window, in hours since 1970. */
  rangeAt(index: number): HourRange {
    const from = (this.#first + index) * this.#hours + this.#offset
    return {
      from: Math.max(from, this.#range.from),
      to: Math.min(from + this.#hours, this.#range.to),
    }
  }

  #numberOf(hour: number): number {
    return Math.floor((hour - this.#offset) / this.#hours)
  }
}
