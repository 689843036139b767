import type { Clock } from '../domain/time.ts'

export interface SampleTime {
  readonly timeMs: number
  /** Time of the last measurement, on the current clock; undefined at the first. */
  readonly lastMs: number | undefined
  /** By how much the clock was set since the last measurement; 0 if it was not, negative if it was set back. */
  readonly jumpMs: number
}

/**
 * The times of measurements. The system clock may be set, or stand still while the machine sleeps. The time between two
 * measurements is therefore taken from the monotonic clock, so that rates stay correct across a jump.
 */
export class Timeline {
  readonly #wall: Clock
  readonly #monotonic: Clock
  #last: { wallMs: number; monotonicMs: number } | undefined

  constructor(wall: Clock, monotonic: Clock) {
    this.#wall = wall
    this.#monotonic = monotonic
  }

  next(): SampleTime {
    const last = this.#last
    const wallMs = Math.round(this.#wall())
    const monotonicMs = this.#monotonic()
    this.#last = { wallMs, monotonicMs }
    if (last === undefined) return { timeMs: wallMs, lastMs: undefined, jumpMs: 0 }
    const elapsedMs = Math.round(monotonicMs - last.monotonicMs)
    const jumpMs = wallMs - last.wallMs - elapsedMs
    return Math.abs(jumpMs) < notableMs
      ? { timeMs: wallMs, lastMs: last.wallMs, jumpMs: 0 }
      : { timeMs: wallMs, lastMs: wallMs - elapsedMs, jumpMs }
  }
}

/** Time servers slew a clock by less than a second between two measurements. */
const notableMs = 2000
