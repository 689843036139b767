import type { HourRange } from '../usage/reading/pod-usage.ts'
import { readWithKeptDays } from './kept-load-days.ts'
import { type LoadSource, leastBelieved, overlapHours, settledHours } from './load-source.ts'
import type { LoadsByHour } from './node-load-codec.ts'
import { readLoads } from './read-loads.ts'

/** Most samples come sooner. */
const recentHours = 2
const recentBelievedMs = 300_000
const lateBelievedMs = 600_000
const wholeBelievedMs = 3_600_000

/** What counted on the nodes of a cluster in some hours, and until when that is believed. Never changed once made. */
export interface NodeLoadPage extends LoadsByHour {
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

/**
 * The known page, completed by the requested hours that are missing, and by those that had expired at the time of the request.
 * A request that came before the last reading began does not cause another.
 */
export async function refreshPage(
  known: NodeLoadPage | undefined,
  asked: HourRange & { readonly at: number },
  source: LoadSource,
  now: () => number,
): Promise<NodeLoadPage> {
  const startedAt = now()
  if (known === undefined || asked.at >= known.wholeUntil) {
    const { containers, ...page } = await readWithKeptDays(asked, source, startedAt)
    return {
      ...page,
      recent: recentBelief(startedAt, containers),
      late: lateBelief(startedAt),
      wholeUntil: startedAt + wholeBelievedMs,
    }
  }
  const { from, to } = known.hours
  let page = known
  if (asked.from < from) {
    const before = { from: asked.from, to: Math.min(from + overlapHours, to) }
    page = retold(page, await readLoads(before, source), before)
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
  const fresh = await readLoads(again, source)
  const recent = isDoubted ? recentBelief(startedAt, fresh.containers) : page.recent
  return {
    ...retold(page, fresh, again),
    recent,
    late: isDoubted && isLate ? lateBelief(startedAt) : page.late,
  }
}

/** Built aside: earlier requests still work with what they were given. */
function retold(known: NodeLoadPage, fresh: LoadsByHour, { from, to }: HourRange): NodeLoadPage {
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
