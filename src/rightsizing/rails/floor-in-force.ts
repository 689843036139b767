import { floors } from '../model/grid.ts'
import { coveringSize, type Rail, requestInForce } from './rail.ts'

/** The smallest size that is recommended does not raise a smaller request in force, unless usage needs more than that. */
export const keepBelowFloor: Rail = (size, facts) => {
  const { resource, current, peak } = facts
  const floor = floors[resource]
  const from = requestInForce(current)
  if (from === undefined || from <= 0 || from >= floor || size > floor) return undefined
  const kept = Math.max(from, Math.min(floor, coveringSize(facts)))
  return size > kept ? { size: kept, code: 'floor', figures: { peak, floor } } : undefined
}
