import { percentilesOf, type Weighing } from './bins.ts'
import { type Day, summaryOf } from './day.ts'
import type { ResourceHistory } from './history.ts'

/** Oldest first; a day without samples is null. Day d of a series is decided from days 0 to d - 1. */
export interface DailyUsage {
  readonly days: readonly (Day | null)[]
  readonly history: ResourceHistory
  /** Of each span of the history, its day; that of some may lie outside. */
  readonly dayOf: Int32Array
}

export function dailyUsage(history: ResourceHistory, endHour: number): DailyUsage {
  const { startHours, endHours } = history
  const dayOf = new Int32Array(startHours.length)
  if (dayOf.length === 0) return { days: [], history, dayOf }
  // A span belongs to the day its middle lies in: days as the calendar has them seldom end when the history does.
  const count = Math.max(0, Math.ceil((endHour - (startHours[0]! + endHours[0]!) / 2) / 24))
  const firstHour = endHour - count * 24
  const spansOf: (number[] | undefined)[] = new Array(count).fill(undefined)
  for (let span = 0; span < dayOf.length; span++) {
    const day = Math.floor(((startHours[span]! + endHours[span]!) / 2 - firstHour) / 24)
    dayOf[span] = day
    if (day < 0 || day >= count) continue
    const own = spansOf[day]
    if (own === undefined) spansOf[day] = [span]
    else own.push(span)
  }
  return { days: spansOf.map((own) => (own === undefined ? null : summaryOf(history, own))), history, dayOf }
}

/** Shares, ascending, and what a day weighs by its age: 0 for the latest. */
export interface Aged {
  readonly shares: readonly number[]
  readonly weightOf: (age: number) => number
}

/** Percentiles of the days before `before`: each the least value at or below which lies that share of the weight. */
export function percentilesBefore(
  { history, dayOf, days }: DailyUsage,
  before: number,
  wanted: readonly Aged[],
): number[][] {
  const spans: number[] = []
  const last = Math.min(before, days.length)
  for (let span = 0; span < dayOf.length; span++)
    if (dayOf[span]! >= 0 && dayOf[span]! < last) spans.push(span)
  const weighings = wanted.map(({ shares, weightOf }, index): Weighing => {
    const weights = roomFor(index, dayOf.length)
    for (const span of spans) weights[span] = weightOf(before - 1 - dayOf[span]!)
    return { shares, weightOf: weights }
  })
  return percentilesOf(history, spans, weighings)
}

/** Room to work in, which stays. */
const rooms: Float64Array[] = []

function roomFor(index: number, size: number): Float64Array {
  const known = rooms[index]
  if (known !== undefined && known.length >= size) return known
  const room = new Float64Array(size * 2)
  rooms[index] = room
  return room
}
