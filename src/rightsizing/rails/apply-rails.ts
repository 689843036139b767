import type { DraftBand } from '../adjustments/band.ts'
import type { RecommendationStep } from '../workload.ts'
import { limitCoversPeak, requestCoversPeak } from './cover-peak.ts'
import { keepBelowFloor } from './floor-in-force.ts'
import { coveringSize, type Rail, type RailFacts } from './rail.ts'
import { railText } from './rail-text.ts'
import { raiseLimitWithCause, raiseRequestWithCause } from './raise-needs-cause.ts'
import { cutLimitSlowly, cutRequestSlowly } from './slow-cut.ts'

/** Those that lower a size come first, and none of the later ones raises it above what is in force. */
export const requestRails: readonly Rail[] = [
  keepBelowFloor,
  raiseRequestWithCause,
  cutRequestSlowly,
  requestCoversPeak,
]
const limitRails: readonly Rail[] = [raiseLimitWithCause, cutLimitSlowly, limitCoversPeak]

/** Keeps the request within the guard rails. */
export function applyRequestRails(draft: DraftBand, facts: RailFacts, rails = requestRails): void {
  draft.covering = coveringSize(facts)
  for (const rail of rails) {
    const railed = rail(draft.target, facts)
    if (railed === undefined) continue
    if (railed.size > draft.target) {
      const { lower } = draft
      draft.raise(railed.size)
      if (railed.isTemporary) draft.lower = lower
      draft.railed = railed.size
    } else draft.lowerTo(railed.size)
    draft.addStep(railed.code, railText(facts.resource, railed), railed.figures)
  }
}

/** Returns the limit within the guard rails, which is never less than the request. */
export function railedLimit(
  limit: number,
  request: number,
  facts: RailFacts,
): { readonly limit: number; readonly steps: readonly Omit<RecommendationStep, 'value'>[] } {
  const steps: Omit<RecommendationStep, 'value'>[] = []
  let kept = limit
  for (const rail of limitRails) {
    const railed = rail(kept, facts)
    const size = Math.max(railed?.size ?? kept, request)
    if (railed === undefined || size === kept) continue
    kept = size
    steps.push({ by: railed.code, says: railText(facts.resource, railed), figures: railed.figures })
  }
  return { limit: kept, steps }
}
