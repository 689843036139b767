import type { Counters, Digest, NumberRegisters, TextRegisters } from '../digest/digest.ts'
import {
  counterNames,
  hourMs,
  isEmptyDigest,
  mergeDigest,
  numberNames,
  oomKills,
  textNames,
} from '../digest/digest.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'

/** What one subject used over some hours. Registers are those of the latest hour that has one; `max` is over all hours. */
export interface WindowUsage extends WindowSummary {
  /** Hours with data, ascending; one digest each. */
  readonly hours: readonly Digest[]
}

export interface WindowSummary extends Counters, NumberRegisters, TextRegisters {
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly oomKills: number
  readonly memoryPeakBytes: number
  readonly samples: number
  /** Seconds since 1970 of the first and last sample; 0 where there is none. */
  readonly firstAt: number
  readonly lastAt: number
  readonly startedAt: number
  readonly init: boolean
}

/** The hour is the least that is known: it belongs to the window in which it begins, so that adjoining windows add up. */
export function hoursOfWindow(startMs: number, endMs: number): { from: number; to: number } {
  return { from: Math.ceil(startMs / hourMs), to: Math.ceil(endMs / hourMs) }
}

/** A digest from one source of samples. */
export interface SourcedDigest {
  readonly source: string
  readonly digest: Digest
}

/**
 * One digest an hour. What one source told in parts is merged; where several sources tell of the same hour (samples that
 * were pushed, and pulled as well) the one with most samples is believed, since both saw the same usage.
 */
export function combineHours(rows: Iterable<SourcedDigest>): Digest[] {
  const hours = new Map<number, Map<string, Digest>>()
  for (const { source, digest } of rows) {
    const sources = hours.get(digest.hour) ?? new Map<string, Digest>()
    hours.set(digest.hour, sources)
    const known = sources.get(source)
    if (known === undefined) sources.set(source, digest)
    else mergeDigest(known, digest)
  }
  return [...hours.values()]
    .map(fullest)
    .filter((digest) => !isEmptyDigest(digest))
    .sort((a, b) => a.hour - b.hour)
}

/** Merges the digests of one subject, one an hour, that begin in [from, to). */
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

function fullest(sources: ReadonlyMap<string, Digest>): Digest {
  let best: [string, Digest] | undefined
  for (const entry of sources) {
    const [name, digest] = entry
    if (
      best === undefined ||
      digest.samples > best[1].samples ||
      (digest.samples === best[1].samples && name < best[0])
    )
      best = entry
  }
  return best![1]
}
