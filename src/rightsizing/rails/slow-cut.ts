import type { RequestAndLimit } from '../adjustments/request-and-limit.ts'
import { publicPolicyOf } from '../risk/size-reading.ts'
import { type Rail, type Railed, type RailFacts, requestInForce } from './rail.ts'

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
