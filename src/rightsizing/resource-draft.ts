import type { DraftBand } from './adjustments/band.ts'
import { finishRecommendation, reasonToKeep } from './adjustments/finish.ts'
import { requestAndLimitOf } from './adjustments/request-and-limit.ts'
import type { ResourceRecommendation } from './workload.ts'

/** The draft of one resource, before the constraints of the organisation are applied. */
export interface ResourceDraft {
  readonly draft: DraftBand
  /** The current request if it would stay, undefined if it would change. */
  kept(): number | undefined
  finish(): ResourceRecommendation
}

export const resourceDraft = (...parts: Parameters<typeof finishRecommendation>): ResourceDraft => ({
  draft: parts[1],
  kept: () => {
    const [resource, , , subject] = parts
    return reasonToKeep(...parts) === undefined ? undefined : requestAndLimitOf(resource, subject).request
  },
  finish: () => finishRecommendation(...parts),
})
