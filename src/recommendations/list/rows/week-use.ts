import { dayHours } from '../../../domain/time.ts'
import type { HourlyUse } from '../../../usage/reading/hourly-use.ts'
import { idleCores } from './idle-row.ts'

const weekHours = 7 * dayHours
/** 0 is an hour in which it did not run. */
const [idle, busy] = [1, 2]

/** In which hours of the last two weeks a workload did something. Hours are since 1970. */
export class WeekUse {
  readonly #fromHour: number
  readonly #hours = new Uint8Array(2 * weekHours)

  constructor(endHour: number) {
    this.#fromHour = endHour - 2 * weekHours
  }

  add(use: HourlyUse): void {
    for (const { from, to, setting } of use.settingRanges()) {
      const most = idleCores(setting)
      for (let index = from; index < to; index++) {
        const at = use.hours[index]! - this.#fromHour
        if (at < 0 || at >= this.#hours.length) continue
        const state = use.cores[index]! > most ? busy : idle
        if (state > this.#hours[at]!) this.#hours[at] = state
      }
    }
  }

  merge(other: WeekUse): void {
    for (const [at, state] of other.#hours.entries()) if (state > this.#hours[at]!) this.#hours[at] = state
  }

  /** CPU was not measured, so that nothing is known to be idle. */
  markBusy(): void {
    this.#hours.fill(busy)
  }

  /** Whether it ran and did nothing, in both weeks, by hour of the week from Monday 00:00 UTC on. */
  idleHours(): boolean[] {
    const isIdle = Array.from({ length: weekHours }, () => true)
    for (const [at, state] of this.#hours.entries())
      if (state !== idle) isIdle[(this.#fromHour + at + mondayOffset) % weekHours] = false
    return isIdle
  }
}

/** The first hour of 1970 was that of a Thursday. */
const mondayOffset = 3 * dayHours

interface SleepingHours {
  /** For example "from 19:00 to 07:00 UTC, and all of Saturday and Sunday". */
  readonly says: string
  readonly perWeek: number
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** Shorter pauses are not worth stopping for. */
const minHoursOfNight = 6
const minHoursOfWeek = weekHours / 4

/** Returns the same hours of every working day and the whole days in which nothing happens; undefined if they are few. */
export function sleepingHours(isIdle: readonly boolean[]): SleepingHours | undefined {
  const ofDay = (day: number) => isIdle.slice(day * dayHours, (day + 1) * dayHours)
  const free = days
    .keys()
    .filter((day) => ofDay(day).every(Boolean))
    .toArray()
  const working = days
    .keys()
    .filter((day) => !free.includes(day))
    .toArray()
  const [from, length] = longestRun(
    Array.from({ length: dayHours }, (_, hour) => working.every((day) => ofDay(day)[hour])),
  )
  const night = length >= minHoursOfNight ? length : 0
  const perWeek = free.length * dayHours + night * working.length
  if (perWeek < minHoursOfWeek || working.length === 0) return undefined
  const says = [
    ...(night > 0 ? [`from ${clock(from)} to ${clock((from + night) % dayHours)} UTC`] : []),
    ...(free.length > 0 ? [`all of ${listed(free.map((day) => days[day]!))} (UTC)`] : []),
  ].join(', and ')
  return { says, perWeek }
}

function longestRun(hours: readonly boolean[]): readonly [from: number, length: number] {
  let [from, length] = [0, 0]
  for (const start of hours.keys()) {
    let run = 0
    while (run < hours.length && hours[(start + run) % hours.length]) run++
    if (run > length) [from, length] = [start, run]
  }
  return [from, length]
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
