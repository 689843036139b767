import { proportionOf, type RequestAndLimit } from '../adjustments/request-and-limit.ts'
import type { Resource } from '../input.ts'
import { floors } from '../model/grid.ts'
import { publicPolicyOf } from '../risk/size-reading.ts'
import type { SizingPreference } from '../workload.ts'

/** Why a size may exceed the highest usage by more than the usual headroom. */
export type RaiseCause = 'kills' | 'throttling' | 'trend' | 'use near the limit'

/** What guard rails know about one resource of a container. */
export interface RailFacts {
  readonly resource: Resource
  readonly current: RequestAndLimit
  /** The largest in force in the last seven days. */
  readonly largest: RequestAndLimit
  /** Those before the current ones, where they changed in the last seven days. */
  readonly replaced: RequestAndLimit
  /** Whether the last days were like those of the week before, so that nothing new asks for another size. */
  readonly repeats: boolean
  readonly preference: SizingPreference
  /** Highest observed usage, page cache and starts included. */
  readonly peak: number
  /** What a Java heap may take; 0 if nothing is known to need more than was observed. */
  readonly reach: number
  /** Whether the limit in force is the answer to a kill, and stays as long as the kill is remembered. */
  readonly keepsLimit: boolean
  readonly reachHours: number
  /** Whether a rule lets the limit stay when the request that equals it is lowered. */
  readonly separatesLimit: boolean
  /** Undefined if nothing justifies more than the usual headroom. */
  readonly cause: RaiseCause | undefined
}

/** A size that a guard rail changed, and why. */
export interface Railed {
  readonly size: number
  readonly code: string
  readonly figures: Readonly<Record<string, number>>
  /** Whether it passes with more history, so that the lower bound of the size stays. */
  readonly isTemporary?: boolean
}

/** Returns undefined if the size may stay. */
export type Rail = (size: number, facts: RailFacts) => Railed | undefined

/** The size that covers everything observed. */
export const coveringSize = ({ peak, reach }: RailFacts): number => Math.max(peak * peakHeadroom, reach)

/** Headroom above the highest usage. */
export const peakHeadroom = 1.15

/** The request in force. Kubernetes uses the limit as the request if only a limit is set. */
export const requestInForce = ({ request, limit }: RequestAndLimit): number | undefined => request ?? limit

/** The smallest size that is recommended does not raise a smaller request in force, unless usage needs more than that. */
export const keepBelowFloor: Rail = (size, facts) => {
  const { resource, current, peak } = facts
  const floor = floors[resource]
  const from = requestInForce(current)
  if (from === undefined || from <= 0 || from >= floor || size > floor) return undefined
  const kept = Math.max(from, Math.min(floor, coveringSize(facts)))
  return size > kept ? { size: kept, code: 'floor', figures: { peak, floor } } : undefined
}

/**
 * Without a kill, throttling or a trend, nothing shows that more than the highest usage is needed, nor that the limit in
 * force is too small. Page cache grows to any limit, so a limit that followed the peak would be raised again and again.
 */
export const raiseRequestWithCause: Rail = (size, facts) => {
  const { current, peak, cause } = facts
  const from = requestInForce(current)
  if (from === undefined || size <= from) return undefined
  if (cause !== undefined && cause !== 'use near the limit') return undefined
  const most = Math.max(from, coveringSize(facts))
  const kept =
    cause === undefined && current.limit !== undefined ? Math.min(most, Math.max(from, current.limit)) : most
  return size > kept ? { size: kept, code: 'raise', figures: { peak, wanted: size } } : undefined
}

/** The limit stays unless the request needs a larger one, which has passed the rail above. */
export const raiseLimitWithCause: Rail = (size, { current, peak, cause }) => {
  const { limit } = current
  if (limit === undefined || size <= limit || cause !== undefined) return undefined
  return { size: limit, code: 'limit raise', figures: { peak, wanted: size } }
}

/** An hour less, because the first samples seldom come at the beginning of an hour. */
const dayHours = 24 - 1
const weekHours = 7 * 24 - 1

/**
 * A day shows what runs once a day, and a week what runs once a week. Before a day nothing is cut, and before a week at most
 * half of the way from the largest size of the last seven days, so that cutting again each day does not cut further.
 */
export const cutRequestSlowly: Rail = (size, facts) => cutSlowly(size, facts, requestInForce)

export const cutLimitSlowly: Rail = (size, facts) => cutSlowly(size, facts, ({ limit }) => limit)

function cutSlowly(
  size: number,
  { current, largest, preference, reachHours }: RailFacts,
  read: (sizes: RequestAndLimit) => number | undefined,
): Railed | undefined {
  const from = read(current)
  if (from === undefined || size >= from || reachHours >= weekHours) return undefined
  // Public policies are for comparison, so theirs is the size that their rules give.
  if (publicPolicyOf(preference) !== undefined) return undefined
  if (reachHours < dayHours)
    return { size: from, code: 'first day', figures: { hours: reachHours }, isTemporary: true }
  if (preference.profile === 'cost') return undefined
  const top = Math.max(from, read(largest) ?? from)
  const kept = Math.min(from, (top + size) / 2)
  return kept > size
    ? { size: kept, code: 'first week', figures: { hours: reachHours, largest: top }, isTemporary: true }
    : undefined
}

/** A raise by more is not what a few more days of the same usage ask for. */
const maxSettling = 1.5
/** A smaller cut is not proposed anyway. A small raise may be one of 5% once it is rounded up. */
const minSettling = 0.95

/**
 * A size that was changed is not changed again in the same direction within a week while usage repeats itself, because a few more
 * days of the same usage ask for a little more or less. A kill, throttling, a trend or a far too small request do not wait.
 */
export const raiseOnceAWeek: Rail = (size, facts) =>
  size <= (requestInForce(facts.current) ?? 0) * maxSettling && facts.cause === undefined
    ? settled(size, facts, 1)
    : undefined

export const cutOnceAWeek: Rail = (size, facts) =>
  facts.preference.profile === 'cost' ? undefined : settled(size, facts, -1)

function settled(size: number, { current, replaced, repeats, preference }: RailFacts, direction: 1 | -1) {
  const [from, before] = [requestInForce(current), requestInForce(replaced)]
  if (!repeats || from === undefined || before === undefined) return undefined
  if (publicPolicyOf(preference) !== undefined) return undefined
  const isChange = direction > 0 ? size > from : size < from * minSettling
  return isChange && Math.sign(from - before) === direction
    ? { size: from, code: 'settling', figures: { before }, isTemporary: true }
    : undefined
}

/** A smaller CPU limit throttles a container while it starts, however little it uses afterwards. */
export const startingCores = 0.1

/**
 * No limit is lowered below the highest usage plus 15%, page cache included, nor a CPU limit below a tenth of a core.
 * A limit in force that is smaller already stays.
 */
export const limitCoversPeak: Rail = (size, facts) => covered(size, facts, 'limit')

/** A limit that equals the request is lowered with it, so the request must cover the peak as well. */
export const requestCoversPeak: Rail = (size, facts) =>
  facts.current.limit === undefined || facts.separatesLimit || proportionOf(facts.current) > 1
    ? undefined
    : covered(size, facts, 'equal limit')

function covered(size: number, facts: RailFacts, code: string): Railed | undefined {
  const { resource, peak, keepsLimit, cause } = facts
  const { limit, request = 0 } = facts.current
  if (limit === undefined || size === limit) return undefined
  const start = resource === 'cpu' && (size < limit || cause === 'throttling') ? startingCores : 0
  const needed = keepsLimit ? limit : Math.max(coveringSize(facts), start)
  const least = size > Math.max(limit, request) ? start : Math.min(limit, needed)
  return size < least ? { size: least, code, figures: { peak, least } } : undefined
}
