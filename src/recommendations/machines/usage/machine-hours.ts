import { hourSeconds } from '../../../domain/time.ts'

/**
 * When a machine was measured and how many cores it used then, derived from its processes. Arrays have one element per
 * hour.
 */
export class MachineHours {
  #first = 0
  #seconds = new Float64Array()
  #coreSeconds = new Float64Array()
  /** 1 if the hour has any data, even without elapsed time. */
  #reported = new Uint8Array()
  /** Computed after everything was added. */
  #since: Float64Array | undefined

  add(hour: number, seconds: number, cores: number): void {
    this.#since = undefined
    const index = this.#hourIndexOf(hour)
    this.#reported[index] = 1
    if (seconds > this.#seconds[index]!) this.#seconds[index] = seconds
    this.#coreSeconds[index]! += cores * seconds
  }

  /**
   * Returns the time of the process that was seen longest in the hour, since some processes run as long as the machine.
   */
  secondsIn(hour: number): number {
    return this.#seconds[hour - this.#first] ?? 0
  }

  /** Returns the measured hours from a measured hour on, with fractions. */
  measuredSince(first: number): number {
    this.#since ??= this.#measuredSince()
    return this.#since[first - this.#first] ?? 0
  }

  get measuredHours(): number {
    return this.measuredSince(this.#first)
  }

  /** The last hour in which time passed between two samples, otherwise the last hour with any data. */
  get latest(): number {
    const timed = this.#seconds.findLastIndex((seconds) => seconds > 0)
    const index = timed >= 0 ? timed : this.#reported.lastIndexOf(1)
    return index >= 0 ? this.#first + index : Number.NEGATIVE_INFINITY
  }

  /** Returns the mean number of cores that was not exceeded in this share of the hours. */
  coresAt(share: number): number {
    const means: number[] = []
    for (const [index, seconds] of this.#seconds.entries())
      if (seconds > 0) means.push(this.#coreSeconds[index]! / seconds)
    means.sort((a, b) => a - b)
    return means[Math.ceil(share * means.length) - 1] ?? 0
  }

  #measuredSince(): Float64Array {
    const since = new Float64Array(this.#seconds.length)
    let seconds = 0
    for (let index = since.length - 1; index >= 0; index--) {
      seconds += this.#seconds[index]!
      since[index] = seconds / hourSeconds
    }
    return since
  }

  #hourIndexOf(hour: number): number {
    const length = this.#reported.length
    if (length === 0) this.#first = hour
    const index = hour - this.#first
    if (index >= 0 && index < length) return index
    const before = Math.max(0, -index)
    const capacity = index < 0 ? length + before : Math.max(minCapacity, index + 1, length * 2)
    const [seconds, coreSeconds] = [new Float64Array(capacity), new Float64Array(capacity)]
    const reported = new Uint8Array(capacity)
    seconds.set(this.#seconds, before)
    coreSeconds.set(this.#coreSeconds, before)
    reported.set(this.#reported, before)
    this.#seconds = seconds
    this.#coreSeconds = coreSeconds
    this.#reported = reported
    this.#first -= before
    return hour - this.#first
  }
}

const minCapacity = 512
