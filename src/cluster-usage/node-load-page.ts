import { LastSeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/node-loads.ts'
import { addLoads } from '../allocation/spend.ts'
import { subjectOfKey } from '../domain/subject.ts'
import { Yielder } from '../runtime/yielder.ts'
import type { UsageStore } from '../usage/port.ts'
import { PodReader } from '../usage/reading/pod-reader.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'

/** Most samples come sooner than the first, none later than the second; older hours change only when a collection fills in history. */
const recentHours = 2
const settledHours = 49
/** A cluster with fewer containers is read each time, which is fast enough. */
const leastBelieved = 100
const recentBelievedMs = 300_000
const lateBelievedMs = 600_000
const wholeBelievedMs = 3_600_000
/** A pod is on its node before that is reported: new hours are read with this much overlap. */
const overlapHours = 24

/** What counted on the nodes of a cluster in some hours, and until when that is believed. Never changed once made. */
export interface NodeLoadPage {
  readonly loads: NodeLoads
  readonly ends: LastSeenByHour
  readonly hours: HourRange
  readonly recent: Belief
  readonly late: Belief
  /** Milliseconds since 1970. */
  readonly wholeUntil: number
}

/** Hours from this one on are believed until then, in milliseconds since 1970. */
interface Belief {
  readonly from: number
  readonly until: number
}

type ReadCluster = (hours: HourRange) => ReturnType<UsageStore['digests']>

/**
 * The known page, completed by the requested hours that are missing, and by those that had expired at the time of the request.
 * A request that came before the last reading began does not cause another.
 */
export async function refreshPage(
  known: NodeLoadPage | undefined,
  asked: HourRange & { readonly at: number },
  read: ReadCluster,
  now: () => number,
): Promise<NodeLoadPage> {
  const startedAt = now()
  if (known === undefined || asked.at >= known.wholeUntil) {
    const { loads, ends, containers } = await readLoads(asked, read)
    const recent = recentBelief(startedAt, containers)
    const late = lateBelief(startedAt)
    return {
      loads,
      ends,
      hours: { from: asked.from, to: asked.to },
      recent,
      late,
      wholeUntil: startedAt + wholeBelievedMs,
    }
  }
  const { from, to } = known.hours
  let page = known
  if (asked.from < from) {
    const before = { from: asked.from, to: Math.min(from + overlapHours, to) }
    page = retold(page, await readLoads(before, read), before)
  }
  const isLate = asked.at > known.late.until
  const believed = isLate ? known.late : known.recent
  const isDoubted = asked.at > believed.until && asked.to > believed.from
  const missingFrom = asked.to > to ? to - overlapHours : Number.POSITIVE_INFINITY
  const again = {
    from: Math.max(from, Math.min(missingFrom, isDoubted ? believed.from : Number.POSITIVE_INFINITY)),
    to: Math.max(asked.to, to),
  }
  if (again.from >= again.to) return page
  const fresh = await readLoads(again, read)
  const recent = isDoubted ? recentBelief(startedAt, fresh.containers) : page.recent
  return {
    ...retold(page, fresh, again),
    recent,
    late: isDoubted && isLate ? lateBelief(startedAt) : page.late,
  }
}

async function readLoads(hours: HourRange, read: ReadCluster) {
  const loads = new NodeLoads()
  const ends = new LastSeenByHour()
  const reader = new PodReader()
  const yielder = new Yielder()
  let containers = 0
  for await (const stored of read(hours)) {
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

/** Built aside: earlier requests still work with what they were given. */
function retold(
  known: NodeLoadPage,
  fresh: Pick<NodeLoadPage, 'loads' | 'ends'>,
  { from, to }: HourRange,
): NodeLoadPage {
  const loads = known.loads.without(from, to)
  loads.addAll(fresh.loads)
  const ends = known.ends.without(from, to)
  ends.addAll(fresh.ends)
  const hours = { from: Math.min(known.hours.from, from), to: Math.max(known.hours.to, to) }
  return { ...known, loads, ends, hours }
}

const hourOf = (ms: number): number => Math.floor(ms / 3_600_000)

const recentBelief = (readAt: number, containers: number): Belief => ({
  from: hourOf(readAt) - recentHours,
  until: containers < leastBelieved ? readAt : readAt + recentBelievedMs,
})

const lateBelief = (readAt: number): Belief => ({
  from: hourOf(readAt) - settledHours,
  until: readAt + lateBelievedMs,
})
