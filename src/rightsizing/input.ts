/** The members of a usage distribution that the engine needs. The distributions of hourly digests have them. */
export interface UsageDistribution extends Iterable<{ readonly value: number; readonly count: number }> {
  readonly count: number
  readonly sum: number
  readonly max: number
  /**
   * Writes the values, least first and divided by the unit, and their weights from an index on, and returns the index
   * after the last. All values are finite, and all weights are above 0. Present only if it is faster than iterating.
   */
  fill?(values: Float64Array, weights: Float64Array, from: number, unit: number): number
  readonly size?: number
  /** Writes count, sum and max, in this order. Present only if it is faster than reading the members. */
  writeTotals?(into: Float64Array): void
}

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

/** Usage over a period of time: an hour, or older hours merged into a day. */
export interface UsageSpan {
  /** Hours since 1970, UTC. */
  readonly startHour: number
  readonly hours: number
  /** Microcores. Like memory and cpuWithoutStarts, it is empty or null if no usage was seen. */
  readonly cpu: UsageDistribution | null
  /** Bytes. */
  readonly memory: UsageDistribution | null
  readonly oomKills?: number
  /** Restarts for any reason, OOM kills included. */
  readonly restarts?: number
  /** How long the CPU limit throttled the container, summed over its CPUs. */
  readonly throttledMs?: number
  /** Share of scheduler periods in which the CPU limit throttled the container, 0 to 1. */
  readonly throttledShare?: number
  /** CPU without the hours in which the container started; undefined if it did not start in this span. */
  readonly cpuWithoutStarts?: UsageDistribution | null | undefined
}

/** Number of digest units in a core and in a GiB. */
export const unitsOf = { cpu: 1e6, memory: 2 ** 30 } as const
export type Resource = keyof typeof unitsOf
