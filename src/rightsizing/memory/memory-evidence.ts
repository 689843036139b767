import { type DraftBand, gibText, timesText } from '../adjustments/band.ts'
import type { Day } from '../history/day.ts'
import { scaledUsage, type UsageSpan, unitsOf } from '../input.ts'
import type { MemoryEvidence, MemoryLeak, OomKills, PageCache } from '../sizing-evidence.ts'
import type { MemoryFacts, RequestsAndLimits } from '../workload.ts'
import type { FlatTop } from './flat-top.ts'
import { followsLimit, sizeByHeap, takenWithHeap } from './java-heap.ts'

/**
 * Adjusts the size by what is known about memory apart from its amount: what it consists of, its runtime, its shape
 * over time.
 */
export function sizeByEvidence(draft: DraftBand, evidence: MemoryEvidence, current: RequestsAndLimits): void {
  const { facts = {}, cache, flatTop } = evidence
  if (cache !== undefined)
    draft.addStep(
      'page cache',
      `Memory: ${gibText(cache.gib)} of ${gibText(cache.ofGib)} is page cache${cacheTexts[cache.counts]}`,
      { cache: cache.gib, of: cache.ofGib },
    )
  if (facts.heapLimitGib !== undefined && facts.heapLowGib !== undefined)
    sizeByHeap(draft, facts, residentGib(evidence), current)
  else if (flatTop !== undefined) keepFlatTop(draft, flatTop, current)
  coverKernelPeak(draft, evidence, current)
}

/** Resident memory; the highest usage if it is not known. */
export const residentGib = ({ peakSeen, facts }: MemoryEvidence): number =>
  Math.min(peakSeen, facts?.rssGib ?? Number.POSITIVE_INFINITY)

/**
 * Memory that a Java virtual machine may take with its current heap limit; 0 if there is none, or if it may follow the
 * container's limit.
 */
export function heapReach(evidence: MemoryEvidence, { memoryLimit }: RequestsAndLimits): number {
  const { facts = {} } = evidence
  if (facts.heapLimitGib === undefined || followsLimit(facts.heapLimitGib, memoryLimit)) return 0
  return takenWithHeap(facts, residentGib(evidence), facts.heapLimitGib)
}

/** Why half or all of the page cache counts as needed. */
const cacheTexts = {
  half: ', which the kernel can reclaim, so half of it counts.',
  'all after a kill': ', all of which counts because the container was OOM-killed.',
  'all if shared':
    ' or shared memory, which cannot be reclaimed, so all of it counts. The metric container_memory_mapped_file would tell them apart.',
} as const satisfies Record<PageCache['counts'], string>

function keepFlatTop(draft: DraftBand, flat: FlatTop, { memoryRequest = 0 }: RequestsAndLimits): void {
  const before = draft.target
  draft.raise(Math.max(flat.topGib, memoryRequest))
  const what = draft.target === before ? '' : ' The request is not reduced.'
  draft.addStep(
    'flat top',
    flat.at === 'limit'
      ? `Memory: usage stays at ${gibText(flat.topGib)}, which is its limit, so it may need more.${what}`
      : `Memory: usage repeatedly rises to ${gibText(flat.topGib)} and falls back to ${gibText(flat.lowGib)}, like a garbage-collected heap at its limit, which may depend on the size of the container.${what} The metrics jvm_memory_* would show what it needs.`,
  )
}

const fullShare = 0.95
const notableFactor = 1.1

/**
 * Memory may have been higher between two samples, which the kernel's high-water mark shows. The mark includes page
 * cache, and is not used if it is at the limit.
 */
export function kernelPeakOf(
  { kernelPeakGib, cacheGib = 0 }: MemoryFacts,
  { memoryLimit: limit }: RequestsAndLimits,
): number | undefined {
  if (kernelPeakGib === undefined || (limit !== undefined && kernelPeakGib >= fullShare * limit))
    return undefined
  return kernelPeakGib - cacheGib
}

function coverKernelPeak(
  draft: DraftBand,
  { facts = {}, peakSeen }: MemoryEvidence,
  current: RequestsAndLimits,
): void {
  const peak = kernelPeakOf(facts, current)
  if (peak === undefined || !(peak > notableFactor * peakSeen)) return
  draft.upper = Math.max(draft.upper, peak)
  draft.addStep(
    'kernel peak',
    `Memory: the kernel recorded a peak of ${gibText(peak)} between samples; the upper bound covers it.`,
  )
}

const rememberedHours = 14 * 24
const minRestarts = 3
const restartedUpper = 1.25

/** Number of restarts in the last 14 days that were not OOM kills; 0 if there were fewer than three. */
export function restartsOf(spans: readonly UsageSpan[], atHour: number): number {
  let count = 0
  for (const { startHour, hours, restarts = 0, oomKills = 0 } of spans)
    if (startHour + hours >= atHour - rememberedHours) count += Math.max(0, restarts - oomKills)
  return count >= minRestarts ? count : 0
}

/**
 * If a process never runs for long, the memory that it needs after a long run is not seen, so the upper bound is
 * raised.
 */
export function widenForRestarts(draft: DraftBand, restarts: number): void {
  if (restarts === 0) return
  draft.upper *= restartedUpper
  draft.addStep(
    'restarts',
    `Memory: restarted ${timesText(restarts)} in the last 14 days without an OOM kill. Longer runs may need more, so the upper bound is 25% higher.`,
  )
}

const oomRememberedHours = 14 * 24
/** The same as in the Vertical Pod Autoscaler: a fifth more, and at least 100 MiB more. */
const oomRaise = { factor: 1.2, gib: 100 / 1024 } as const

/** A limit that is large enough for the last kill has proved itself after so many hours. */
const quietHours = 24

/** The kills of the last 14 days; null if there were none. */
export function oomKillsOf(
  spans: readonly UsageSpan[],
  atHour: number,
  raisedAtHour: number | undefined,
): OomKills | null {
  let [sinceRaise, count, peak, hoursSince] = [0, 0, 0, 0]
  for (const span of spans) {
    if (span.startHour + span.hours < atHour - oomRememberedHours) continue
    const used = peakGib([span])
    if ((span.oomKills ?? 0) > 0) {
      count += span.oomKills!
      // The kill that the raise answers is in the hour, or the day, of the raise.
      if (raisedAtHour !== undefined && span.startHour >= raisedAtHour) sinceRaise += span.oomKills!
      peak = Math.max(peak, used)
      hoursSince = 0
    } else {
      hoursSince += span.hours
    }
  }
  if (count === 0) return null
  return { count, peak, hoursSince, ...(raisedAtHour === undefined ? {} : { sinceRaise }) }
}

/** After an OOM kill, usage shows only what the limit allowed, so the need is larger than both. */
export function oomFloor({ peak }: OomKills, limitGib = 0): number {
  const gib = Math.max(peak, limitGib)
  return Math.max(gib * oomRaise.factor, gib + oomRaise.gib)
}

/**
 * Whether the limit in force was raised after the last kill, and so is not raised again. If that is not known, it was
 * probably raised if it is as large as the last kill asks for, and a day went well.
 */
export function areKillsAnswered(kills: OomKills, limitGib: number | undefined): boolean {
  const { sinceRaise, hoursSince } = kills
  if (sinceRaise !== undefined) return sinceRaise === 0
  if (limitGib === undefined || oomFloor(kills) > limitGib * (1 + 1e-9)) return false
  return hoursSince >= quietHours
}

const minLeakDays = 4
const minGrowth = 1.2

/** Detects memory whose daily low and high both rose day after day. Returns the growth and the number of days. */
export function memoryLeakOf(days: readonly (Day | null)[]): MemoryLeak | null {
  let run = 0
  for (let i = days.length - 1; i > 0; i--) {
    const [day, before] = [days[i], days[i - 1]]
    if (!day || !before || !(day.p5 > before.p5) || !(day.peak > before.peak)) break
    run++
  }
  if (run < minLeakDays) return null
  const [first, last] = [days[days.length - 1 - run]!, days.at(-1)!]
  if (last.p50 < first.p50 * minGrowth) return null
  return { gibPerDay: (last.p50 - first.p50) / run, days: run }
}

/** Page cache below this share of the peak is ignored. */
const minShare = 0.2
/** This share of the page cache counts as needed, because programs that read files are slower without any. */
const countedShare = 0.5

interface MemoryDemand {
  readonly spans: readonly UsageSpan[]
  /** Page cache that was seen; null if it is small or unknown. */
  readonly cache: PageCache | null
}

/** Memory that is needed: the working set includes page cache, and only half of the page cache counts. */
export function memoryDemand(spans: readonly UsageSpan[], facts: MemoryFacts | undefined): MemoryDemand {
  const cache = facts === undefined ? null : cacheGib(spans, facts)
  if (cache === null) return { spans, cache: null }
  const peak = peakGib(spans)
  if (cache < minShare * peak) return { spans, cache: null }
  const isKilled = spans.some(({ oomKills = 0 }) => oomKills > 0)
  const counts = facts!.mappedGib === undefined ? 'all if shared' : isKilled ? 'all after a kill' : 'half'
  const pageCache: PageCache = { gib: cache, ofGib: peak, counts }
  if (counts !== 'half') return { spans, cache: pageCache }
  const factor = 1 - (cache * (1 - countedShare)) / peak
  return {
    spans: spans.map((span) =>
      span.memory === null ? span : { ...span, memory: scaledUsage(span.memory, factor) },
    ),
    cache: pageCache,
  }
}

/**
 * The part of the working set that is not resident, at most the page cache that was always there. Mapped cache is left out,
 * because it may be shared memory. Working set 4 GiB, resident 1 GiB, cache 3.5 GiB with 0.1 GiB mapped -> 3 GiB.
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

/** Whether it is known that nearly all memory is resident, so that growth is not just page cache that fills up. */
export const cacheIsSmall = (spans: readonly UsageSpan[], { rssGib }: MemoryFacts = {}): boolean =>
  rssGib !== undefined && peakGib(spans) - rssGib < minShare * rssGib
