import { type DraftBand, gibText, percentText, sizeText } from '../adjustments/band.ts'
import type { MemoryFacts, RequestsAndLimits } from '../workload.ts'

/**
 * Memory of a Java virtual machine outside heap and metaspace (threads, buffers, the collector itself), as a share of
 * the heap.
 */
const nativeShare = 0.1
/**
 * Collectors work little if the heap is twice what is left after collections, and all the time if the heap is fuller
 * than `crowdedShare`.
 */
const heapFactor = 2
const crowdedShare = 0.7
/** A process that uses this share of what it can take has a heap that has grown to its limit. */
const grownShare = 0.85
/** A smaller -Xmx is suggested if it would be less than this share of the current one. */
const suggestedBelow = 0.75

/**
 * A heap grows to its limit before it is collected, so usage shows the limit and not the need. What is left after
 * collections shows the need, and the current limit shows what the process may take. -Xmx 4 GiB, 1 GiB left after
 * collections, 0.3 GiB outside the heap -> up to 4.7 GiB; with -Xmx 2 GiB, 2.5 GiB.
 */
export function sizeByHeap(
  draft: DraftBand,
  facts: MemoryFacts,
  residentGib: number,
  current: RequestsAndLimits,
): void {
  const { heapLowGib: low, heapLimitGib: limit, nonHeapGib: outside = 0 } = facts
  if (limit === undefined || low === undefined) return
  const takes = (heapGib: number): number => takenWithHeap(facts, residentGib, heapGib)
  const reach = takes(limit)
  const measured = `a Java heap of at most ${gibText(limit)} (-Xmx) with ${gibText(low)} in use after garbage collection, and ${gibText(outside)} outside the heap`
  if (low > crowdedShare * limit) {
    draft.raise(Math.max(reach, current.memoryRequest ?? 0))
    draft.addStep(
      'heap',
      `Memory: ${measured}. The heap is ${percentText(low / limit)} full and needs more, so the request is not reduced. With -Xmx at ${gibText(heapFactor * low)} the container needs ${gibText(takes(heapFactor * low))}.`,
    )
    return
  }
  if (residentGib >= grownShare * reach) {
    draft.raise(reach)
    draft.lowerTo(reach)
    draft.upper = Math.max(reach, Math.min(draft.upper, reach * 1.1))
    draft.addStep('heap', `Memory: ${measured}, so the container can use up to ${gibText(reach)}.`)
  } else {
    draft.lowerTo(reach)
    draft.raise(takes(Math.min(limit, heapFactor * low)))
    draft.addStep(
      'heap',
      `Memory: ${measured}. The heap has not grown to its limit, so measured usage counts.`,
    )
  }
  keepFollowingHeap(draft, low, limit, current)
  if (heapFactor * low < suggestedBelow * limit)
    draft.addStep(
      'heap',
      `Memory: with -Xmx at ${gibText(heapFactor * low)} the container would need only ${gibText(takes(heapFactor * low))}.`,
    )
}

export function takenWithHeap(
  { heapLimitGib = 0, nonHeapGib = 0 }: MemoryFacts,
  residentGib: number,
  heapGib: number,
): number {
  return heapGib + nonHeapGib + Math.max(nativeShare * heapGib, residentGib - heapLimitGib - nonHeapGib)
}

/** Whether a heap limit may be a share of the container's limit, which is set in steps of 5%. */
export function followsLimit(heapLimitGib: number, memoryLimitGib: number | undefined): boolean {
  if (memoryLimitGib === undefined) return false
  const steps = (heapLimitGib / memoryLimitGib) * 20
  return steps <= 20 && Math.abs(steps - Math.round(steps)) <= 0.2
}

/** If the heap is a share of the container's limit (MaxRAMPercentage), a smaller container has a smaller heap. */
function keepFollowingHeap(draft: DraftBand, low: number, limit: number, current: RequestsAndLimits): void {
  const { memoryLimit, memoryRequest = memoryLimit } = current
  if (memoryLimit === undefined || memoryRequest === undefined) return
  if (!followsLimit(limit, memoryLimit)) return
  const share = limit / memoryLimit
  const least = Math.min(memoryRequest, ((heapFactor * low) / share) * (memoryRequest / memoryLimit))
  if (!(least > draft.target)) return
  draft.raise(least)
  draft.addStep(
    'heap',
    `Memory: the heap limit is ${percentText(share)} of the container's limit and may depend on it, so the request stays at ${sizeText('memory', least)} or more.`,
  )
}
