import { ignored, oversized, SeriesTable, unknown } from './series-table.ts'

export type LabelPairs = readonly (readonly [name: string, value: string])[]

/** Decides what a series is. */
export interface Interpreter {
  /** Whether a metric of this name hash (see hashText) may be of use. A false yes costs time only. */
  mayUnderstand(nameHash: number): boolean
  /** The number of the series, `ignored`, `oversized`, `refused` or `passedOver`; throws TooManySeries. */
  number(labels: LabelPairs): number
  /** Whether every new series is refused without being examined. */
  refusesAll?(): boolean
}

/** What a series is that may be taken later, but not now. It is not remembered. */
export const refused = -4
/** Ignored, and not remembered. */
export const passedOver = -5

/** The sender exceeds its series limit; the samples were not accepted and can be sent again later. */
export class TooManySeries extends Error {
  override readonly name = 'TooManySeries'
}

/** Numbers of series by the bytes of their labels. One of these per sender's organisation: nothing is shared. */
export class Resolver {
  readonly #interpreter: Interpreter
  readonly #maxSeries: number
  readonly #table = new SeriesTable()
  /** Hours since 1970, or anything that grows with time: series silent for two of them are forgotten. */
  epoch = 1

  constructor(interpreter: Interpreter, maxSeries: number) {
    this.#interpreter = interpreter
    this.#maxSeries = maxSeries
  }

  get size(): number {
    return this.#table.size
  }

  mayUnderstand(nameHash: number): boolean {
    return this.#interpreter.mayUnderstand(nameHash)
  }

  find(high: number, low: number): number {
    return this.#table.find(high, low, this.epoch)
  }

  learn(high: number, low: number, labels: () => LabelPairs): number {
    if (this.#interpreter.refusesAll?.()) return refused
    if (this.#table.size >= this.#maxSeries)
      throw new TooManySeries(`more than ${this.#maxSeries} series at a time`)
    const number = this.#interpreter.number(labels())
    if (number > unknown || number === oversized) this.#table.set(high, low, number, this.epoch)
    return number
  }

  /** How many are left. */
  forgetSilent(): number {
    this.#table.forgetBefore(this.epoch)
    return this.#table.size
  }

  forgetAll(): void {
    this.#table.clear()
  }
}

export { ignored, oversized, unknown }
