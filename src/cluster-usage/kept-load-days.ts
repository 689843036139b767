import { LastSeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/node-loads.ts'
import type { DayRange, NodeLoadDay } from '../usage/port.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { type LoadSource, leastBelieved, overlapHours, settledHours } from './load-source.ts'
import { addLoadDay, encodeLoadDay, type LoadsByHour } from './node-load-codec.ts'
import { type ReadLoads, readLoads } from './read-loads.ts'

/**
 * The loads of a window: days that are kept from the store, and the hours before and after them from usage. Of a large cluster
 * the days that are settled are kept then, so that the next process, or the next hour, need not read them.
 */
export async function readWithKeptDays(
  { from, to }: HourRange,
  source: LoadSource,
  startedAt: number,
): Promise<ReadLoads & { readonly hours: HourRange }> {
  const settledUntil = dayOf(Math.floor(startedAt / 3_600_000) - settledHours)
  const made = { loads: new NodeLoads(), ends: new LastSeenByHour() }
  const known = await addKeptDays(made, dayOf(from), Math.min(settledUntil, dayOf(to)), source)
  const keep = (fresh: ReadLoads, fromHour: number, toHour: number): void => {
    const days = { from: Math.ceil(fromHour / dayHours), to: Math.min(settledUntil, dayOf(toHour)) }
    if (fresh.containers >= leastBelieved) source.keep(encodedDays(fresh, days, startedAt - mostBehindMs))
  }
  if (known === undefined) {
    const fresh = await readLoads({ from, to }, source)
    keep(fresh, from, to)
    return { ...fresh, hours: { from, to } }
  }
  let containers = leastBelieved
  if (from < known.from) {
    const before = await readLoads({ from, to: Math.min(known.from + overlapHours, to) }, source)
    add(made, before, { from: known.from, to: known.from + overlapHours })
    keep(before, from, known.from)
  }
  if (to > known.to) {
    const after = await readLoads({ from: known.to - overlapHours, to }, source)
    add(made, after, { from: known.to - overlapHours, to: known.to })
    keep(after, known.to, to)
    containers = after.containers
  }
  return { ...made, containers, hours: { from: Math.min(from, known.from), to: Math.max(to, known.to) } }
}

/** Adds the first kept days that follow each other; the hours they cover, undefined where there are none. */
async function addKeptDays(
  into: LoadsByHour,
  fromDay: number,
  toDay: number,
  source: LoadSource,
): Promise<HourRange | undefined> {
  let [first, next] = [-1, -1]
  for (let from = fromDay; from < toDay; from += daysAtOnce)
    for (const { day, bytes } of await source.kept({ from, to: Math.min(from + daysAtOnce, toDay) })) {
      if (first >= 0 && day !== next) return { from: first * dayHours, to: next * dayHours }
      if (!addLoadDay(into, day, bytes)) continue
      if (first < 0) first = day
      next = day + 1
    }
  return first < 0 ? undefined : { from: first * dayHours, to: next * dayHours }
}

function* encodedDays(fresh: LoadsByHour, { from, to }: DayRange, readAt: number): Generator<NodeLoadDay> {
  for (let day = from; day < to; day++) yield { day, readAt, bytes: encodeLoadDay(fresh, day) }
}

/** Adds what was read but for the hours that are known. */
function add(into: LoadsByHour, fresh: LoadsByHour, known: HourRange): void {
  into.loads.addAll(fresh.loads.without(known.from, known.to))
  into.ends.addAll(fresh.ends.without(known.from, known.to))
}

const dayOf = (hour: number): number => Math.floor(hour / dayHours)
const dayHours = 24
/** A week of ten thousand nodes is 27 MB. */
const daysAtOnce = 7
/** A replica may be so far behind, and the clock of the database ahead. */
const mostBehindMs = 60_000
