/** While older usage is being committed, cached answers are used for no longer than this. */
const settlingMs = 60_000

/**
 * Returns a version of an organisation's older usage. An answer that was cached with another version must be computed again.
 * `lateAtMs` is the result of lateUsageAt() of the usage store. While older usage is arriving, for example when a month of
 * history is collected, the version changes every minute, and once more when none has arrived for a minute.
 */
export function lateUsageVersion(lateAtMs: number, nowMs: number): string {
  return nowMs - lateAtMs < settlingMs ? `arriving ${Math.floor(nowMs / settlingMs)}` : String(lateAtMs)
}
