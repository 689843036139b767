export type LabelPairs = readonly (readonly [name: string, value: string])[]

/** Decides how a series is used. */
export interface Interpreter {
  /** Whether a metric whose name has this hash (see hashText) may be used. A wrong yes only costs time. */
  mayUnderstand(nameHash: number): boolean
  /** Returns the number of the series, `ignored`, `oversized`, `refused` or `passedOver`; throws TooManySeries. */
  number(labels: LabelPairs): number
  /** Whether every new series is refused without being examined. */
  refusesAll?(): boolean
}

/** Marker instead of a series number: the series may be accepted later, but not now. It is not remembered. */
export const refused = -4
/** Marker instead of a series number: the series is ignored and not remembered. */
export const passedOver = -5

/** The sender exceeds its series limit; the samples were not accepted and can be sent again later. */
export class TooManySeries extends Error {
  override readonly name = 'TooManySeries'
}

/** Maps the bytes of a series' labels to its number. Organisations do not share a resolver. */
export class Resolver {
  readonly #interpreter: Interpreter
  readonly #maxSeries: number
  readonly #table = new SeriesTable()
  /** Hours since 1970. Series without samples for two hours are forgotten. */
  hour = 1
  /** The same labels are another series for another value of this, such as the hash of the cluster of a request. */
  scope = 0

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
    return this.#table.find(this.#inScope(high), this.#inScope(low), this.hour)
  }

  learn(high: number, low: number, labels: () => LabelPairs): number {
    if (this.#interpreter.refusesAll?.()) return refused
    if (this.#table.size >= this.#maxSeries)
      throw new TooManySeries(`more than ${this.#maxSeries} series at a time`)
    const number = this.#interpreter.number(labels())
    if (number > unknown || number === oversized)
      this.#table.set(this.#inScope(high), this.#inScope(low), number, this.hour)
    return number
  }

  #inScope(half: number): number {
    return (half ^ this.scope) >>> 0
  }

  forgetSilent(): number {
    this.#table.forgetBefore(this.hour)
    return this.#table.size
  }

  forgetAll(): void {
    this.#table.clear()
  }
}

/** Marker instead of a series number: the series was examined, and its samples are not used. */
export const ignored = -1
export const unknown = -2
/** Marker instead of a series number: the metric is used, but its labels exceed a limit. */
export const oversized = -3

/**
 * Maps the hash of a series' labels to its number, so that the text of a known series is not decoded.
 * It uses open addressing with linear probing and is at most half full. If an insertion still takes more than 128 steps, the
 * table grows. Series without samples for two hours are removed when the table is full.
 */
export class SeriesTable {
  size = 0
  #high = new Uint32Array(initial)
  #low = new Uint32Array(initial)
  /** Number + 4, or 0 for an empty place. */
  #values = new Uint32Array(initial)
  #seen = new Uint32Array(initial)

  get places(): number {
    return this.#values.length
  }

  find(high: number, low: number, hour: number): number {
    const mask = this.#values.length - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const value = this.#values[place]!
      if (value === 0) return unknown
      if (this.#low[place] === low && this.#high[place] === high) {
        this.#seen[place] = hour
        return value - 4
      }
    }
  }

  set(high: number, low: number, number: number, hour: number): void {
    if (this.size * 2 >= this.#values.length) this.forgetBefore(hour)
    const steps = this.#put(high, low, number + 4, hour)
    this.size++
    // With a secret in the hash, the chance of this is one in thousands of millions. The second condition limits the
    // table in any case.
    if (steps > maxSteps && this.#values.length < this.size * 64) this.#moveTo(this.#values.length * 2, 0)
  }

  clear(): void {
    this.#allocate(initial)
  }

  /** Removes series without samples in this hour and the previous one, and resizes the table for the others. */
  forgetBefore(hour: number): void {
    const from = hour - 1
    let live = 0
    for (let place = 0; place < this.#values.length; place++)
      if (this.#values[place] !== 0 && this.#seen[place]! >= from) live++
    let length = initial
    while (length < live * 4) length *= 2
    this.#moveTo(length, from)
  }

  #moveTo(length: number, fromEpoch: number): void {
    const [highs, lows, values, seen] = [this.#high, this.#low, this.#values, this.#seen]
    this.#allocate(length)
    for (let place = 0; place < values.length; place++) {
      if (values[place] === 0 || seen[place]! < fromEpoch) continue
      this.#put(highs[place]!, lows[place]!, values[place]!, seen[place]!)
      this.size++
    }
  }

  /** Returns the number of occupied places that it passed. */
  #put(high: number, low: number, value: number, hour: number): number {
    const mask = this.#values.length - 1
    let steps = 0
    while (this.#values[(low + steps) & mask] !== 0) steps++
    const place = (low + steps) & mask
    this.#high[place] = high
    this.#low[place] = low
    this.#values[place] = value
    this.#seen[place] = hour
    return steps
  }

  #allocate(length: number): void {
    this.size = 0
    this.#high = new Uint32Array(length)
    this.#low = new Uint32Array(length)
    this.#values = new Uint32Array(length)
    this.#seen = new Uint32Array(length)
  }
}

const initial = 1024
const maxSteps = 128
