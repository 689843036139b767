import { hourMs } from '../../domain/time.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'

export const stepNames = ['hour', 'day', 'week', 'month'] as const
export type StepName = (typeof stepNames)[number]

/**
 * Length of a step, and the first hour since 1970 at which one began. Weeks begin on Mondays, and 1970 began on a
 * Thursday.
 */
const stepsByName: Readonly<
  Record<Exclude<StepName, 'month'>, { readonly hours: number; readonly offset: number }>
> = {
  hour: { hours: 1, offset: 0 },
  day: { hours: 24, offset: 0 },
  week: { hours: 168, offset: 96 },
}

/**
 * A window that is divided into hours, days, weeks or months in UTC. The first and the last step end at the limits of the
 * window.
 */
export class TimeSteps {
  readonly name: StepName
  readonly count: number
  readonly #range: HourRange
  readonly #calendar: Calendar
  readonly #first: number

  constructor(range: HourRange, name: StepName) {
    this.name = name
    this.#range = range
    this.#calendar = name === 'month' ? monthSteps() : equalSteps(stepsByName[name])
    this.#first = this.#calendar.numberOf(range.from)
    this.count = range.to > range.from ? this.#calendar.numberOf(range.to - 1) - this.#first + 1 : 0
  }

  indexOf(hour: number): number {
    return this.#calendar.numberOf(hour) - this.#first
  }

  /** The hours of a step that lie in the window, in hours since 1970. */
  rangeAt(index: number): HourRange {
    const number = this.#first + index
    return {
      from: Math.max(this.#calendar.startOf(number), this.#range.from),
      to: Math.min(this.#calendar.startOf(number + 1), this.#range.to),
    }
  }
}

interface Calendar {
  numberOf(hour: number): number
  startOf(number: number): number
}

const equalSteps = ({ hours, offset }: { readonly hours: number; readonly offset: number }): Calendar => ({
  numberOf: (hour) => Math.floor((hour - offset) / hours),
  startOf: (number) => number * hours + offset,
})

const monthSteps = (): Calendar => ({
  numberOf(hour) {
    const date = new Date(hour * hourMs)
    return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
  },
  startOf: (number) => Date.UTC(1970, number) / hourMs,
})
