/** What the engine asks of a distribution of usage; the distributions of an hourly digest fit as they are. */
export interface UsageDistribution extends Iterable<{ readonly value: number; readonly count: number }> {
  /** Sum of the weights. */
  readonly count: number
  /** Sum of value x weight. */
  readonly sum: number
  /** Exact. */
  readonly max: number
  /**
   * Where it can do so faster than one by one: writes its values, least first and divided by the unit, and their weights
   * from an index on; the index after the last. All are finite, and weights above 0.
   */
  fill?(values: Float64Array, weights: Float64Array, from: number, unit: number): number
  /** How many those are. */
  readonly size?: number
  /** Likewise, writes its count, sum and greatest value. */
  writeTotals?(into: Float64Array): void
}

/** The same usage with every value multiplied. */
export function scaledUsage(usage: UsageDistribution, factor: number): UsageDistribution {
  return {
    count: usage.count,
    sum: usage.sum * factor,
    max: usage.max * factor,
    *[Symbol.iterator]() {
      for (const { value, count } of usage) yield { value: value * factor, count }
    },
  }
}

/** Usage over a stretch of time: an hour, or older hours merged to a day. */
export interface UsageSpan {
  /** Hours since 1970, UTC. */
  readonly startHour: number
  readonly hours: number
  /** Microcores; empty or null where none was seen, as memory and what is calm. */
  readonly cpu: UsageDistribution | null
  /** Bytes. */
  readonly memory: UsageDistribution | null
  readonly oomKills?: number
  /** Restarts of any cause. */
  readonly restarts?: number
  /** How long the CPU limit held the container back, of all its processors together. */
  readonly throttledMs?: number
  /** Share of scheduler periods in which the CPU limit held the container back, 0 to 1. */
  readonly throttledShare?: number
  /** CPU without the hours in which the container began; undefined where it did not begin in this span. */
  readonly calmCpu?: UsageDistribution | null | undefined
}

/** How many digest units make a core, and a GiB. */
export const unitsOf = { cpu: 1e6, memory: 2 ** 30 } as const
export type Resource = keyof typeof unitsOf
