import type { DayRange, NodeLoadDay, UsageStore } from '../usage/port.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'

/** Where the loads of a cluster's nodes come from. */
export interface LoadSource {
  /** Usage of all its containers. */
  read(hours: HourRange): ReturnType<UsageStore['digests']>
  kept(days: DayRange): Promise<NodeLoadDay[]>
  /** In the background, one after the other. */
  keep(days: Iterable<NodeLoadDay>): void
}

/** No samples come later; older hours change only when a collection fills in history. */
export const settledHours = 49
/** A cluster with fewer containers is read each time, which is fast enough. */
export const leastBelieved = 100
/** A pod is on its node before that is reported: new hours are read with this much overlap. */
export const overlapHours = 24
