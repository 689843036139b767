import { scaledUsage, type UsageSpan, unitsOf } from '../input.ts'
import type { MemoryFacts } from '../workload.ts'

/** A smaller share of page cache is not worth telling. */
const leastShare = 0.2
/** Programs that read files are slower without any of it. */
const countedShare = 0.5

interface MemoryDemand {
  readonly spans: readonly UsageSpan[]
  /** What was seen of page cache; null where it is little or not known. */
  readonly cache: PageCache | null
}

interface PageCache {
  /** That the kernel gives back before it kills. */
  readonly gib: number
  readonly ofGib: number
  /** False where it may be shared memory, which is not given back. */
  readonly isCounted: boolean
}

/** Memory as it is needed: the working set holds page cache too, of which half counts. */
export function memoryDemand(spans: readonly UsageSpan[], facts: MemoryFacts | undefined): MemoryDemand {
  const cache = facts === undefined ? null : cacheGib(spans, facts)
  if (cache === null) return { spans, cache: null }
  const peak = peakGib(spans)
  if (cache < leastShare * peak) return { spans, cache: null }
  const isCounted = facts!.mappedGib !== undefined && !spans.some(({ oomKills = 0 }) => oomKills > 0)
  const found = { gib: cache, ofGib: peak, isCounted }
  if (!isCounted) return { spans, cache: found }
  const factor = 1 - (cache * (1 - countedShare)) / peak
  return {
    spans: spans.map((span) =>
      span.memory === null ? span : { ...span, memory: scaledUsage(span.memory, factor) },
    ),
    cache: found,
  }
}

/**
 * The part of the working set that is not resident, and no more than there was of page cache at any time. Cache that is mapped may be
 * shared memory. Working set 4 GiB, resident 1 GiB, cache 3.5 GiB of which 0.1 GiB mapped -> 3 GiB.
 */
function cacheGib(spans: readonly UsageSpan[], facts: MemoryFacts): number | null {
  const { rssGib, cacheGib: cache, mappedGib = 0 } = facts
  if (rssGib === undefined || cache === undefined) return null
  return Math.max(0, Math.min(peakGib(spans) - rssGib, cache - mappedGib))
}

export const peakGib = (spans: readonly UsageSpan[]): number =>
  spans.reduce(
    (peak, { memory }) =>
      memory !== null && memory.count > 0 ? Math.max(peak, memory.max / unitsOf.memory) : peak,
    0,
  )
