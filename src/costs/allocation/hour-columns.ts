import { hourSeconds } from '../../domain/time.ts'
import type { Lifetime } from '../../usage/day/day-facts.ts'

import type { HourlyUse } from '../../usage/reading/hourly-use.ts'

/** Cores, GiB and GPUs by hour, in columns without gaps from the first hour to the last. */
export class HourColumns {
  /** Hours since 1970. */
  first: number
  length = 0
  cores = new Float64Array(firstCapacity)
  gib = new Float64Array(firstCapacity)
  /** Empty, or as long as the others: few nodes have GPUs. */
  gpus = new Float64Array()
  /** Seconds of the hour that were left when anything was first seen; 0 if that is not known. */
  secondsLeft = new Uint16Array(firstCapacity)
  /** Second of the hour at which anything was last seen. */
  lasts = new Uint16Array(firstCapacity)

  constructor(first: number) {
    this.first = first
  }

  get end(): number {
    return this.first + this.length
  }

  cover(from: number, last: number): void {
    if (from < this.first) this.#move(from)
    const length = last - this.first + 1
    if (length > this.cores.length) this.#grow(length, 0)
    if (length > this.length) this.length = length
  }

  add(hour: number, cores: number, gib: number): void {
    this.cover(hour, hour)
    this.cores[hour - this.first]! += cores
    this.gib[hour - this.first]! += gib
  }

  /** The hour must be covered. */
  addGpus(hour: number, gpus: number): void {
    if (this.gpus.length === 0) this.gpus = new Float64Array(this.cores.length)
    this.gpus[hour - this.first]! += gpus
  }

  gpusAt(index: number): number {
    return this.gpus[index] ?? 0
  }

  /** Extends the time in which something was seen. The hour must be covered. */
  extend(hour: number, left: number, last: number): void {
    const index = hour - this.first
    if (left > this.secondsLeft[index]!) this.secondsLeft[index] = left
    if (last > this.lasts[index]!) this.lasts[index] = last
  }

  /**
   * The share of an hour from when anything was first seen to when it was last seen, both within some minutes.
   * `end` is the second of the hour up to which anything is known.
   */
  presenceAt(index: number, end = hourSeconds): number {
    const left = this.secondsLeft[index]!
    const last = this.lasts[index]!
    const from = firstSecond(left)
    const to = left === 0 || last >= end - presenceSeconds ? end : last
    return Math.max(0, to - from) / hourSeconds
  }

  addAll({ first, length, cores, gib, gpus, secondsLeft, lasts }: HourColumns): void {
    if (length === 0) return
    this.cover(first, first + length - 1)
    for (let index = 0, at = first - this.first; index < length; index++, at++) {
      this.cores[at]! += cores[index]!
      this.gib[at]! += gib[index]!
      this.extend(first + index, secondsLeft[index]!, lasts[index]!)
    }
    if (gpus.length > 0)
      for (let index = 0; index < length; index++) this.addGpus(first + index, gpus[index]!)
  }

  without(from: number, to: number): HourColumns {
    const rest = new HourColumns(this.first)
    rest.length = this.length
    const start = Math.min(Math.max(from - this.first, 0), this.length)
    const end = Math.min(Math.max(to - this.first, start), this.length)
    rest.cores = this.cores.slice().fill(0, start, end)
    rest.gib = this.gib.slice().fill(0, start, end)
    rest.gpus = this.gpus.slice().fill(0, start, end)
    rest.secondsLeft = this.secondsLeft.slice().fill(0, start, end)
    rest.lasts = this.lasts.slice().fill(0, start, end)
    return rest
  }

  #move(first: number): void {
    const by = this.first - first
    this.#grow(this.length + by, by)
    this.length += by
    this.first = first
  }

  #grow(least: number, offset: number): void {
    const capacity = Math.max(least, this.cores.length * 2)
    const moved = <Column extends Float64Array | Uint16Array>(column: Column, into: Column): Column => {
      into.set(column.subarray(0, this.length), offset)
      return into
    }
    this.cores = moved(this.cores, new Float64Array(capacity))
    this.gib = moved(this.gib, new Float64Array(capacity))
    this.secondsLeft = moved(this.secondsLeft, new Uint16Array(capacity))
    this.lasts = moved(this.lasts, new Uint16Array(capacity))
    if (this.gpus.length > 0) this.gpus = moved(this.gpus, new Float64Array(capacity))
  }
}

const firstCapacity = 32

export class SeenByHour {
  /** Hours since 1970. */
  #first = 0
  /** 1 + seconds into the hour; 0 if nothing was seen. */
  #ends = new Uint16Array()
  /** As in HourColumns. */
  #secondsLeft = new Uint16Array()

  add({ hours, lasts, seconds, length }: HourlyUse): void {
    if (length === 0) return
    this.#cover(hours[0]!, hours[length - 1]!)
    const [first, ends, lefts] = [this.#first, this.#ends, this.#secondsLeft]
    for (let index = 0; index < length; index++) {
      const end = lasts[index]! + 1
      const at = hours[index]! - first
      if (end > ends[at]!) ends[at] = end
      const left = secondsLeftOf(lasts[index]!, seconds[index]!)
      if (left > lefts[at]!) lefts[at] = left
    }
  }

  /** 1 + the second of the hour at which anything was last seen; 0 if nothing was seen. */
  endOf(hour: number): number {
    return this.#ends[hour - this.#first] ?? 0
  }

  /** Seconds of the hour that were left when anything was first seen; 0 if nothing was seen. */
  secondsLeftIn(hour: number): number {
    return this.#secondsLeft[hour - this.#first] ?? 0
  }

  /** Extends the time in which something was seen. `end` is as endOf returns it. */
  extend(hour: number, left: number, end: number): void {
    if (end === 0) return
    this.#cover(hour, hour)
    const at = hour - this.#first
    this.#ends[at] = Math.max(this.#ends[at]!, end)
    this.#secondsLeft[at] = Math.max(this.#secondsLeft[at]!, left)
  }

  addAll(other: SeenByHour): void {
    if (other.#ends.length === 0) return
    this.#cover(other.#first, other.#first + other.#ends.length - 1)
    for (let index = 0; index < other.#ends.length; index++)
      this.extend(other.#first + index, other.#secondsLeft[index]!, other.#ends[index]!)
  }

  without(from: number, to: number): SeenByHour {
    const rest = new SeenByHour()
    rest.#first = this.#first
    rest.#ends = this.#ends.slice()
    rest.#secondsLeft = this.#secondsLeft.slice()
    const start = Math.max(0, from - this.#first)
    if (to > this.#first) {
      rest.#ends.fill(0, start, to - this.#first)
      rest.#secondsLeft.fill(0, start, to - this.#first)
    }
    return rest
  }

  /** The time at which anything was last seen in some hours, in seconds since 1970; 0 if nothing was seen. */
  lastIn(from: number, to: number): number {
    const least = Math.max(from, this.#first)
    for (let hour = Math.min(to, this.#first + this.#ends.length) - 1; hour >= least; hour--) {
      const end = this.#ends[hour - this.#first]!
      if (end > 0) return hour * hourSeconds + end - 1
    }
    return 0
  }

  /** The first of some hours in which anything was seen; `to` if nothing was seen. */
  firstIn(from: number, to: number): number {
    for (let hour = Math.max(from, this.#first); hour < Math.min(to, this.#first + this.#ends.length); hour++)
      if (this.#ends[hour - this.#first]! > 0) return hour
    return to
  }

  /** The time at which anything was first seen in some hours, within some minutes, in hours since 1970. */
  startIn(from: number, to: number): number {
    const hour = this.firstIn(from, to)
    return hour === to ? to : hour + firstSecond(this.secondsLeftIn(hour)) / hourSeconds
  }

  #cover(from: number, last: number): void {
    const length = this.#ends.length
    if (length > 0 && from >= this.#first && last < this.#first + length) return
    const first = length === 0 ? from : Math.min(from, this.#first)
    const end = Math.max(last + 1, length === 0 ? 0 : this.#first + length)
    const moved = (column: Uint16Array): Uint16Array<ArrayBuffer> => {
      const into = new Uint16Array(end - first)
      into.set(column, length === 0 ? 0 : this.#first - first)
      return into
    }
    this.#ends = moved(this.#ends)
    this.#secondsLeft = moved(this.#secondsLeft)
    this.#first = first
  }
}

/** A container that was seen this shortly before the end still runs, because scrapes are minutes apart. */
const presenceSeconds = 900

/**
 * The second of an hour at which anything was first seen, from the seconds left then. What began in an earlier hour may miss a
 * few seconds.
 */
const firstSecond = (left: number): number =>
  left === 0 || left >= hourSeconds - 15 ? 0 : hourSeconds - left

/** Seconds of an hour that were left when a container was first seen. Time without samples counts up to the next one. */
export const secondsLeftOf = (last: number, seconds: number): number =>
  hourSeconds - Math.max(last, seconds) + seconds

export const isRunningAt = (lastSeenAt: number, endAt: number): boolean =>
  lastSeenAt >= endAt - presenceSeconds

/** The longest time between lifetimes in which there was none. */
export function longestPause(lives: readonly Lifetime[]): number {
  let [until, longest] = [Number.POSITIVE_INFINITY, 0]
  for (const { from, to } of lives.toSorted((a, b) => a.from - b.from)) {
    longest = Math.max(longest, from - until)
    until = until < to || until === Number.POSITIVE_INFINITY ? to : until
  }
  return longest
}

/** The greatest number of lifetimes at the same time. One that ends when another begins does not overlap it. */
export function maxConcurrent(lives: readonly Lifetime[]): number {
  if (lives.length < 2) return lives.length
  const begins = Float64Array.from(lives, ({ from }) => from).sort()
  const ends = Float64Array.from(lives, ({ from, to }) => Math.max(to, from + 1)).sort()
  let [ended, most] = [0, 0]
  for (let begun = 0; begun < begins.length; begun++) {
    while (ends[ended]! <= begins[begun]!) ended++
    most = Math.max(most, begun + 1 - ended)
  }
  return most
}
