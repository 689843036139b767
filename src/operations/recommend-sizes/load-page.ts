import { subjectOfKey } from '../../domain/subject.ts'
import type { UsageStore } from '../../usage/port.ts'
import { Breath } from './breath.ts'
import { hourSeconds } from './hourly-use.ts'
import { NodeLoads } from './node-loads.ts'
import type { Hours } from './pod-usage.ts'
import { readUse } from './read-pod.ts'
import { addLoads } from './spend.ts'

/** Most samples come sooner than the first, none later than the second; older hours change only when a collection fills in history. */
const recentHours = 2
const settledHours = 49
/** What took long to read is believed longer: a small cluster is read anew each time, a large one about once a minute. */
const believedPerWork = 20
const mostBelievedMs = 60_000
const lateBelievedMs = 600_000
const wholeBelievedMs = 3_600_000
/** A pod is on its node before anybody says so: what is read beside known hours reaches this far into them. */
const overlapHours = 24

/** What counted on the nodes of a cluster in some hours, and until when that is believed. Never changed once made. */
export interface LoadPage {
  readonly loads: NodeLoads
  /** By hour, seconds since 1970 of its last sample. */
  readonly ends: ReadonlyMap<number, number>
  readonly hours: Hours
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

export type ReadCluster = (hours: Hours) => ReturnType<UsageStore['digests']>

/** What is known, with what is missing of the hours asked for, and what is past believing, read anew. */
export async function renewedPage(
  known: LoadPage | undefined,
  asked: Hours,
  read: ReadCluster,
  now: () => number,
): Promise<LoadPage> {
  const startedAt = now()
  if (known === undefined || startedAt >= known.wholeUntil) {
    const { workMs, ...told } = await readLoads(asked, read)
    const recent = recentBelief(startedAt, now(), workMs)
    return { ...told, hours: asked, recent, late: lateBelief(startedAt), wholeUntil: now() + wholeBelievedMs }
  }
  const { from, to } = known.hours
  let page = known
  if (asked.from < from) {
    const before = { from: asked.from, to: Math.min(from + overlapHours, to) }
    page = retold(page, await readLoads(before, read), before)
  }
  const isLate = startedAt >= known.late.until
  const believed = isLate ? known.late : known.recent
  const isDoubted = startedAt >= believed.until && asked.to > believed.from
  const missingFrom = asked.to > to ? to - overlapHours : Number.POSITIVE_INFINITY
  const again = {
    from: Math.max(from, Math.min(missingFrom, isDoubted ? believed.from : Number.POSITIVE_INFINITY)),
    to: Math.max(asked.to, to),
  }
  if (again.from >= again.to) return page
  const fresh = await readLoads(again, read)
  const recent = isDoubted ? recentBelief(startedAt, now(), fresh.workMs) : page.recent
  return {
    ...retold(page, fresh, again),
    recent,
    late: isDoubted && isLate ? lateBelief(startedAt) : page.late,
  }
}

/** Seconds since 1970 of the last sample in some hours; 0 where there is none. */
export function endIn({ ends, hours }: LoadPage, { from, to }: Hours): number {
  for (let hour = Math.min(to, hours.to) - 1; hour >= Math.max(from, hours.from); hour--) {
    const end = ends.get(hour)
    if (end !== undefined) return end
  }
  return 0
}

async function readLoads(hours: Hours, read: ReadCluster) {
  const loads = new NodeLoads()
  const ends = new Map<number, number>()
  const breath = new Breath()
  const started = performance.now()
  for await (const { key, rows } of read(hours)) {
    if (subjectOfKey(key).kind !== 'container') continue
    const used = readUse(rows, hours)
    if (used !== undefined) {
      addLoads(loads, used)
      for (let index = 0; index < used.use.length; index++) {
        const hour = used.use.hours[index]!
        const end = hour * hourSeconds + used.use.lasts[index]!
        if (end > (ends.get(hour) ?? 0)) ends.set(hour, end)
      }
    }
    if (breath.due) await breath.take()
  }
  return { loads, ends, workMs: performance.now() - started }
}

/** Built aside: earlier requests still work with what they were given. */
function retold(known: LoadPage, fresh: Pick<LoadPage, 'loads' | 'ends'>, { from, to }: Hours): LoadPage {
  const loads = known.loads.without(from, to)
  loads.addAll(fresh.loads)
  const ends = new Map(known.ends)
  for (const hour of ends.keys()) if (hour >= from && hour < to) ends.delete(hour)
  for (const [hour, end] of fresh.ends) ends.set(hour, end)
  const hours = { from: Math.min(known.hours.from, from), to: Math.max(known.hours.to, to) }
  return { ...known, loads, ends, hours }
}

const hourOf = (ms: number): number => Math.floor(ms / 3_600_000)

const recentBelief = (readAt: number, now: number, workMs: number): Belief => ({
  from: hourOf(readAt) - recentHours,
  until: now + Math.min(mostBelievedMs, workMs * believedPerWork),
})

const lateBelief = (readAt: number): Belief => ({
  from: hourOf(readAt) - settledHours,
  until: readAt + lateBelievedMs,
})
