/** While older usage is being committed, answers about it are kept for no longer than this. */
const settlingMs = 60_000

/**
 * Names the state of an organisation's older usage, for answers that are kept: another name means that they must be computed
 * again. `lateAtMs` is what the usage store reports as lateUsageAt. While older usage is arriving, as it does when a month of
 * history is collected, the name changes every minute, and once more when no usage has arrived for a minute.
 */
export function lateUsageName(lateAtMs: number, nowMs: number): string {
  return nowMs - lateAtMs < settlingMs ? `arriving ${Math.floor(nowMs / settlingMs)}` : String(lateAtMs)
}
