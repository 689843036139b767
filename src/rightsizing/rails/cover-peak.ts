import { proportionOf } from '../adjustments/request-and-limit.ts'
import { coveringSize, type Rail, type Railed, type RailFacts } from './rail.ts'

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
