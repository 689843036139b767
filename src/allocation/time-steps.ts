import type { HourRange } from '../usage/reading/pod-usage.ts'

export const stepNames = ['hour', 'day', 'week'] as const
export type StepName = (typeof stepNames)[number]

/** Hours of a step, and the first hour since 1970 at which one began: weeks begin on Mondays, and 1970 began on a Thursday. */
const stepsByName: Readonly<Record<StepName, { readonly hours: number; readonly offset: number }>> = {
  hour: { hours: 1, offset: 0 },
  day: { hours: 24, offset: 0 },
  week: { hours: 168, offset: 96 },
}

/** A window cut into hours, days or weeks of UTC; the first and the last may be cut short by the window. */
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

  /** The step that an hour of the window belongs to. */
  indexOf(hour: number): number {
    return this.#numberOf(hour) - this.#first
  }

  /** Hours since 1970 of a step, as far as it lies in the window. */
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
