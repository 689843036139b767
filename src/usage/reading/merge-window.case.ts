import {
  type Counters,
  counterNames,
  type Digest,
  type NumberRegisters,
  numberNames,
  oomKills,
  type TextRegisters,
  textNames,
} from '../digest/digest.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'

/** Merges the digests of one subject, one per hour, whose hours are in [from, to). */
export function mergeWindow(
  digests: readonly Digest[],
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): WindowUsage {
  const hours = digests.filter(({ hour }) => hour >= from && hour < to).sort((a, b) => a.hour - b.hour)
  const cpu = new DistributionSum()
  const memory = new DistributionSum()
  const sums = { oomEvents: 0, restarts: 0, throttledMs: 0, periods: 0, throttledPeriods: 0 }
  const numbers = {} as NumberRegisters
  const texts = {} as TextRegisters
  const rest = {
    oomKills: 0,
    memoryPeakBytes: 0,
    samples: 0,
    firstAt: 0,
    lastAt: 0,
    startedAt: 0,
    init: false,
  }
  for (const digest of hours) {
    cpu.add(digest.cpu)
    memory.add(digest.memory)
    for (const name of counterNames) sums[name] += digest[name]
    for (const name of numberNames) {
      const register = digest[name]
      if (register) numbers[name] = { ...register, max: Math.max(register.max, numbers[name]?.max ?? 0) }
    }
    for (const name of textNames) texts[name] = digest[name] ?? texts[name]
    rest.oomKills += oomKills(digest)
    rest.memoryPeakBytes = Math.max(rest.memoryPeakBytes, digest.memoryPeakBytes)
    rest.samples += digest.samples
    rest.firstAt ||= digest.firstAt
    rest.lastAt = Math.max(rest.lastAt, digest.lastAt)
    rest.startedAt = Math.max(rest.startedAt, digest.startedAt)
    rest.init ||= digest.init
  }
  return { ...sums, ...numbers, ...texts, ...rest, cpu: cpu.total(), memory: memory.total(), hours }
}

/**
 * Usage of one subject over some hours. Registers are those of the latest hour that has one; `max` is over all hours.
 */
export interface WindowUsage extends WindowSummary {
  /** One digest for each hour that has any, ascending. */
  readonly hours: readonly Digest[]
}

export interface WindowSummary extends Counters, NumberRegisters, TextRegisters {
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly oomKills: number
  readonly memoryPeakBytes: number
  readonly samples: number
  /** Times of the first and the last sample in seconds since 1970; 0 if there is none. */
  readonly firstAt: number
  readonly lastAt: number
  readonly startedAt: number
  readonly init: boolean
}
