import { plural } from '../../domain/text.ts'
import { coresText, type DraftBand, gibText, resourceNames, sizeText } from '../adjustments/band.ts'
import type { Resource } from '../input.ts'
import type { RecommendationStep } from '../workload.ts'
import {
  coveringSize,
  cutLimitSlowly,
  cutOnceAWeek,
  cutRequestSlowly,
  keepBelowFloor,
  limitCoversPeak,
  type Rail,
  type Railed,
  type RailFacts,
  raiseLimitWithCause,
  raiseOnceAWeek,
  raiseRequestWithCause,
  requestCoversPeak,
} from './rail.ts'

/** Those that lower a size come first, and none of the later ones raises it above what is in force. */
export const requestRails: readonly Rail[] = [
  keepBelowFloor,
  raiseRequestWithCause,
  raiseOnceAWeek,
  cutRequestSlowly,
  requestCoversPeak,
  cutOnceAWeek,
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

/** The sentence of a guard rail that acted. */
function railText(resource: Resource, { size, code, figures }: Railed): string {
  const text = (value: number) => sizeText(resource, value)
  const used = resource === 'cpu' ? coresText : gibText
  const { peak = 0, wanted = 0, largest = 0, hours = 0, floor = 0, before = 0 } = figures
  const harm = resource === 'cpu' ? 'throttled' : 'killed'
  const says: Readonly<Record<string, string>> = {
    floor: `${text(size)}, because less than ${text(floor)} is not recommended, but what is in force is not raised to that: the peak is ${used(peak)}.`,
    'first day': `stays at ${text(size)}: ${Math.floor(hours)} hours of history are less than a day.`,
    'first week': `cut to ${text(size)} for now, half of the way from ${text(largest)}: ${hours < 48 ? plural(Math.floor(hours), 'hour') : plural(Math.floor(hours / 24), 'day')} of history are less than a week.`,
    raise: `${text(size)} instead of ${text(wanted)}: the peak is ${used(peak)}, and there was no kill, throttling or trend that asks for more.`,
    settling: `stays at ${text(size)}, which was ${text(before)} a week ago or less: usage repeats itself, so a second ${before > size ? 'cut' : 'raise'} waits for a week.`,
    'limit raise': `the limit stays at ${text(size)}: there was no kill, throttling or trend that asks for more.`,
    'equal limit': `the limit equals the request, and the container is ${harm} above it, so both are at least ${text(size)}: the peak is ${used(peak)}.`,
    limit: `the limit is at least ${text(size)}: the peak is ${used(peak)}, and a limit is not lowered below that plus 15%.`,
  }
  return `${resourceNames[resource]}: ${says[code]!}`
}
