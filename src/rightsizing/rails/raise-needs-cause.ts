import { coveringSize, type Rail, requestInForce } from './rail.ts'

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
