import { subjectOfKey } from '../../domain/subject.ts'
import { dayHours, hourMs } from '../../domain/time.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { DayRange, NodeLoadDay, UsageStore } from '../../usage/port.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { SeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/nodes.ts'
import { addLoads } from '../allocation/spend.ts'
import { addLoadDay, encodedDays, type LoadsByHour } from './node-load-codec.ts'

export interface LoadSource {
  /** Time at which usage of these days last changed in the store, in milliseconds since 1970. */
  changedAt(days: DayRange): Promise<number>
  read(hours: HourRange): ReturnType<UsageStore['digests']>
  /** The first days that are kept, some at a time. */
  kept(days: DayRange, most: number): Promise<NodeLoadDay[]>
  /** Keeps days in the store, in the background and one after the other. */
  keep(days: Iterable<NodeLoadDay>): void
}

/** No samples arrive later than this. Older hours change only if history is filled in, which the store reports. */
const settledHours = 49
/** A cluster with fewer containers is read for every request, which is fast enough. */
const minCachedContainers = 100
/** A pod runs on its node before that is reported, so new hours are read with this much overlap. */
const overlapHours = 24

/** Most samples arrive within this time. */
const recentHours = 2
const recentValidMs = 300_000
const lateValidMs = 600_000
const wholeValidMs = hourMs

/**
 * Loads of the nodes of a cluster in some hours, and how long they are valid. A page is never changed once it is built.
 */
export interface NodeLoadPage extends LoadsByHour {
  readonly hours: HourRange
  readonly recent: Validity
  readonly late: Validity
  /** Time at which the page as a whole expires, in milliseconds since 1970. */
  readonly wholeUntil: number
  /** The settled hours are as they were in the store at this time, in milliseconds since 1970. */
  readonly settledAt: number
}

/** Hours from `from` on are valid until this time, in milliseconds since 1970. */
interface Validity {
  readonly from: number
  readonly until: number
}

/**
 * Returns the known page, completed by the requested hours that are missing, and by those that had expired at the time of
 * the request. A request that came before the last reading began does not cause another. Pages begin with a whole day, so
 * that this day can be kept too.
 */
export async function refreshPage(
  known: NodeLoadPage | undefined,
  requested: HourRange & { readonly at: number },
  source: LoadSource,
  now: () => number,
): Promise<NodeLoadPage> {
  const startedAt = now()
  const asked = { ...requested, from: dayOf(requested.from) * dayHours }
  if (known === undefined || asked.at >= known.wholeUntil || (await isOutdated(known, asked, source))) {
    const { containers, ...page } = await readWithKeptDays(asked, source, startedAt)
    return {
      ...page,
      recent: recentValidity(startedAt, containers),
      late: lateValidity(startedAt),
      wholeUntil: startedAt + wholeValidMs,
      settledAt: startedAt,
    }
  }
  const { from, to } = known.hours
  let page = asked.at <= known.settledAt ? known : { ...known, settledAt: startedAt }
  if (asked.from < from) {
    const before = { from: asked.from, to: Math.min(from + overlapHours, to) }
    const fresh = await readWithKeptDays(before, source, startedAt)
    page = withFreshHours(page, fresh, fresh.hours)
  }
  const { validity, isLate, isExpired } = expiryOf(known, asked)
  const missingFrom = asked.to > to ? to - overlapHours : Number.POSITIVE_INFINITY
  const again = {
    from: Math.max(from, Math.min(missingFrom, isExpired ? validity.from : Number.POSITIVE_INFINITY)),
    to: Math.max(asked.to, to),
  }
  if (again.from >= again.to) return page
  const fresh = await readLoads(again, source)
  const recent = isExpired ? recentValidity(startedAt, fresh.containers) : page.recent
  return {
    ...withFreshHours(page, fresh, again),
    recent,
    late: isExpired && isLate ? lateValidity(startedAt) : page.late,
  }
}

/** Whether a page has all requested hours, and none of them had expired at the time of the request. */
export async function isSufficient(
  known: NodeLoadPage,
  asked: HourRange & { readonly at: number },
  source: Pick<LoadSource, 'changedAt'>,
): Promise<boolean> {
  const { from, to } = known.hours
  if (asked.from < from || asked.to > to || asked.at >= known.wholeUntil) return false
  return !expiryOf(known, asked).isExpired && !(await isOutdated(known, asked, source))
}

/** Which hours of a page expire first, and whether requested ones had expired at the time of the request. */
function expiryOf({ late, recent }: NodeLoadPage, asked: { readonly to: number; readonly at: number }) {
  const isLate = asked.at > late.until
  const validity = isLate ? late : recent
  return { validity, isLate, isExpired: asked.at > validity.until && asked.to > validity.from }
}

/** Whether usage of settled hours was filled in, here or on another node, since they were read. */
async function isOutdated(
  { settledAt, hours }: NodeLoadPage,
  asked: HourRange & { readonly at: number },
  source: Pick<LoadSource, 'changedAt'>,
): Promise<boolean> {
  if (asked.at <= settledAt) return false
  const settled = { from: dayOf(hours.from), to: dayOf(hourOf(asked.at) - settledHours) + 1 }
  return (await source.changedAt(settled)) > settledAt - maxBehindMs
}

/** Builds a new page, because earlier requests still work with the old one. */
function withFreshHours(known: NodeLoadPage, fresh: LoadsByHour, { from, to }: HourRange): NodeLoadPage {
  const loads = known.loads.without(from, to)
  loads.addAll(fresh.loads)
  const ends = known.ends.without(from, to)
  ends.addAll(fresh.ends)
  const hours = { from: Math.min(known.hours.from, from), to: Math.max(known.hours.to, to) }
  return { ...known, loads, ends, hours }
}

const hourOf = (ms: number): number => Math.floor(ms / hourMs)

const recentValidity = (readAt: number, containers: number): Validity => ({
  from: hourOf(readAt) - recentHours,
  until: containers < minCachedContainers ? readAt : readAt + recentValidMs,
})

const lateValidity = (readAt: number): Validity => ({
  from: hourOf(readAt) - settledHours,
  until: readAt + lateValidMs,
})

/**
 * Reads the loads of a window: kept days from the store, and the hours before and after them from usage. The settled days
 * of a large cluster are then kept too, so that the next process need not read their usage again.
 */
async function readWithKeptDays({ from, to }: HourRange, source: LoadSource, startedAt: number) {
  const settledUntil = dayOf(hourOf(startedAt) - settledHours)
  const loadsByHour = { loads: new NodeLoads(), ends: new SeenByHour() }
  const known = await addKeptDays(loadsByHour, dayOf(from), Math.min(settledUntil, dayOf(to)), source)
  const keep = (fresh: ReadLoads, fromHour: number, toHour: number): void => {
    const days = { from: Math.ceil(fromHour / dayHours), to: Math.min(settledUntil, dayOf(toHour)) }
    if (fresh.containers >= minCachedContainers)
      source.keep(encodedDays(fresh, days, startedAt - maxBehindMs))
  }
  if (known === undefined) {
    const fresh = await readLoads({ from, to }, source)
    keep(fresh, from, to)
    return { ...fresh, hours: { from, to } }
  }
  let containers = minCachedContainers
  if (from < known.from) {
    const before = await readLoads({ from, to: Math.min(known.from + overlapHours, to) }, source)
    add(loadsByHour, before, { from: known.from, to: known.from + overlapHours })
    keep(before, from, known.from)
  }
  if (to > known.to) {
    const after = await readLoads({ from: known.to - overlapHours, to }, source)
    add(loadsByHour, after, { from: known.to - overlapHours, to: known.to })
    keep(after, known.to, to)
    containers = after.containers
  }
  return {
    ...loadsByHour,
    containers,
    hours: { from: Math.min(from, known.from), to: Math.max(to, known.to) },
  }
}

/** Adds the first consecutive kept days. Returns the hours that they cover, or undefined if there are none. */
async function addKeptDays(into: LoadsByHour, fromDay: number, toDay: number, source: LoadSource) {
  let [first, next] = [-1, -1]
  let [from, isMore] = [fromDay, fromDay < toDay]
  while (isMore) {
    const kept = await source.kept({ from, to: toDay }, daysAtOnce)
    for (const { day, bytes } of kept) {
      if (first >= 0 && day !== next) return { from: first * dayHours, to: next * dayHours }
      if (!addLoadDay(into, day, bytes)) continue
      if (first < 0) first = day
      next = day + 1
    }
    isMore = kept.length === daysAtOnce
    from = (kept.at(-1)?.day ?? toDay) + 1
  }
  return first < 0 ? undefined : { from: first * dayHours, to: next * dayHours }
}

/** Adds everything that was read except for the hours that are already known. */
function add(into: LoadsByHour, fresh: LoadsByHour, known: HourRange): void {
  into.loads.addAll(fresh.loads.without(known.from, known.to))
  into.ends.addAll(fresh.ends.without(known.from, known.to))
}

const dayOf = (hour: number): number => Math.floor(hour / dayHours)
/** A week of ten thousand nodes is 27 MB. */
const daysAtOnce = 7
/** A replica of the database, or the clock of the database, may be this far behind. */
const maxBehindMs = 60_000

type ReadLoads = LoadsByHour & { readonly containers: number }

async function readLoads(hours: HourRange, source: Pick<LoadSource, 'read'>): Promise<ReadLoads> {
  const loads = new NodeLoads()
  const ends = new SeenByHour()
  const reader = new PodReader()
  const yielder = new Yielder()
  let containers = 0
  for await (const stored of source.read(hours)) {
    if (subjectOfKey(stored.key).kind !== 'container') continue
    const use = reader.readHourlyUse(stored, hours)
    containers++
    if (use !== undefined) {
      addLoads(loads, use)
      ends.add(use)
    }
    if (yielder.isDue) await yielder.pause()
  }
  return { loads, ends, containers }
}
