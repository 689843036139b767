import { type DraftBand, gibText, timesText } from '../adjustments/band.ts'
import type { Day } from '../history/day.ts'
import { scaledUsage, type UsageSpan, unitsOf } from '../input.ts'
import type { MemoryFacts, Workload } from '../workload.ts'
import { flatTopOf } from './flat-top.ts'
import { followsLimit, sizeByHeap, takenWithHeap } from './java-heap.ts'

/**
 * Adjusts the size by what is known about memory apart from its amount: what it consists of, its runtime, its shape
 * over time.
 */
export function sizeByEvidence(
  draft: DraftBand,
  workload: Workload,
  spans: readonly UsageSpan[],
  atHour: number,
): void {
  const { memoryFacts: facts = {}, current = {} } = workload
  const { cache } = memoryDemand(spans, facts)
  if (cache !== null)
    draft.addStep(
      'page cache',
      `Memory: ${gibText(cache.gib)} of ${gibText(cache.ofGib)} is page cache${cacheTexts[cache.counts]}`,
    )
  const seenGib = peakGib(spans)
  if (facts.heapLimitGib !== undefined && facts.heapLowGib !== undefined)
    sizeByHeap(draft, facts, residentGib(spans, facts), current)
  else if (cache === null) keepFlatTop(draft, spans, atHour, current)
  coverKernelPeak(draft, workload, seenGib)
}

const residentGib = (
  spans: readonly UsageSpan[],
  { rssGib = Number.POSITIVE_INFINITY }: MemoryFacts,
): number => Math.min(peakGib(spans), rssGib)

/**
 * Memory that a Java virtual machine may take with its current heap limit; 0 if there is none, or if it may follow the
 * container's limit.
 */
export function heapReach(
  { memoryFacts: facts = {}, current }: Workload,
  spans: readonly UsageSpan[],
): number {
  const { heapLimitGib } = facts
  if (heapLimitGib === undefined || followsLimit(heapLimitGib, current?.memoryLimit)) return 0
  return takenWithHeap(facts, residentGib(spans, facts), heapLimitGib)
}

/** Why half or all of the page cache counts as needed. */
const cacheTexts = {
  half: ', which the kernel can reclaim, so half of it counts.',
  'all after a kill': ', all of which counts because the container was OOM-killed.',
  'all if shared':
    ' or shared memory, which cannot be reclaimed, so all of it counts. The metric container_memory_mapped_file would tell them apart.',
} as const

function keepFlatTop(
  draft: DraftBand,
  spans: readonly UsageSpan[],
  atHour: number,
  { memoryRequest = 0, memoryLimit }: NonNullable<Workload['current']>,
): void {
  const flat = flatTopOf(spans, atHour, memoryLimit)
  if (flat === null) return
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
export function kernelPeakOf({ memoryFacts, current }: Workload): number | undefined {
  const { kernelPeakGib, cacheGib = 0 } = memoryFacts ?? {}
  const limit = current?.memoryLimit
  if (kernelPeakGib === undefined || (limit !== undefined && kernelPeakGib >= fullShare * limit))
    return undefined
  return kernelPeakGib - cacheGib
}

function coverKernelPeak(draft: DraftBand, workload: Workload, seenGib: number): void {
  const peak = kernelPeakOf(workload)
  if (peak === undefined || !(peak > notableFactor * seenGib)) return
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

/** A limit is sufficient if it was not reached, by this share, for this long since the last kill. */
const sufficient = { hours: 72, share: 0.8 } as const

/**
 * After an OOM kill, usage shows only what the limit allowed, so the need is larger than both. A limit that has proved
 * sufficient since then was probably raised after the kill, and is not raised again.
 */
export function oomFloor(
  spans: readonly UsageSpan[],
  atHour: number,
  limitGib: number | null,
): { gib: number; kills: number } | null {
  const raised = (gib: number): number => Math.max(gib * oomRaise.factor, gib + oomRaise.gib)
  let [kills, peak, hoursSince, peakSince] = [0, 0, 0, 0]
  for (const span of spans) {
    if (span.startHour + span.hours < atHour - oomRememberedHours) continue
    const used = peakGib([span])
    if ((span.oomKills ?? 0) > 0) {
      kills += span.oomKills!
      peak = Math.max(peak, used)
      hoursSince = 0
      peakSince = 0
    } else {
      hoursSince += span.hours
      peakSince = Math.max(peakSince, used)
    }
  }
  if (kills === 0) return null
  const isSufficient =
    limitGib !== null && hoursSince >= sufficient.hours && peakSince < sufficient.share * limitGib
  return {
    kills,
    gib: isSufficient ? Math.max(raised(peak), limitGib) : raised(Math.max(peak, limitGib ?? 0)),
  }
}

const minLeakDays = 4
const minGrowth = 1.2

/** Detects memory whose daily low and high both rose day after day. Returns the growth and the number of days. */
export function memoryLeakOf(days: readonly (Day | null)[]): { gibPerDay: number; days: number } | null {
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

interface PageCache {
  /** Page cache that the kernel would reclaim before it kills a process. */
  readonly gib: number
  readonly ofGib: number
  /** How much of it counts as needed: all if it may be shared memory, which cannot be reclaimed, and all after an OOM kill. */
  readonly counts: keyof typeof cacheTexts
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

const peakGib = (spans: readonly UsageSpan[]): number =>
  spans.reduce(
    (peak, { memory }) =>
      memory !== null && memory.count > 0 ? Math.max(peak, memory.max / unitsOf.memory) : peak,
    0,
  )
