import { hourSeconds } from '../../../domain/time.ts'
import type { HourlyUse } from '../../../usage/reading/hourly-use.ts'

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
  #since: Float64Array | undefined

  add({ length, hours, seconds, cores }: UseColumns): void {
    if (length === 0) return
    this.#since = undefined
    this.#reserve(hours[0]!, hours[length - 1]!)
    const [most, sums, reported] = [this.#seconds, this.#coreSeconds, this.#reported]
    for (let at = 0; at < length; at++) {
      const index = hours[at]! - this.#first
      const ran = seconds[at]!
      reported[index] = 1
      if (ran > most[index]!) most[index] = ran
      sums[index]! += cores[at]! * ran
    }
  }

  /**
   * Returns the time of the process that was seen longest in the hour, since some processes run as long as the machine.
   */
  secondsIn(hour: number): number {
    return this.#seconds[hour - this.#first] ?? 0
  }

  reportedBefore(hour: number): number {
    return this.#reported.subarray(0, Math.max(0, hour - this.#first)).reduce((sum, one) => sum + one, 0)
  }

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

  #reserve(from: number, last: number): void {
    const length = this.#reported.length
    if (length === 0) this.#first = from
    const before = Math.max(0, this.#first - from)
    const needed = before + Math.max(length, last - this.#first + 1)
    if (needed <= length) return
    const capacity = before > 0 ? needed : Math.max(minCapacity, needed, length * 2)
    const [seconds, coreSeconds] = [new Float64Array(capacity), new Float64Array(capacity)]
    const reported = new Uint8Array(capacity)
    seconds.set(this.#seconds, before)
    coreSeconds.set(this.#coreSeconds, before)
    reported.set(this.#reported, before)
    this.#seconds = seconds
    this.#coreSeconds = coreSeconds
    this.#reported = reported
    this.#first -= before
  }
}

/** Hours of a process, ascending; the columns may be longer. */
type UseColumns = Pick<HourlyUse, 'length'> & {
  readonly [Column in 'hours' | 'seconds' | 'cores']: ArrayLike<number>
}

const minCapacity = 512
