import type { RecommendationContext } from './context.ts'
import { gatherEvidence } from './evidence.ts'
import { RecommendationWorkspace } from './risk/resource-forecast.ts'
import { sizeFromEvidence } from './size-from-evidence.ts'
import type { SizeRecommendation, Workload } from './workload.ts'

/** Both halves of a recommendation in one step, for usage of which nothing is stored. */
export function recommend(
  workload: Workload,
  context: RecommendationContext,
  workspace = new RecommendationWorkspace(),
): SizeRecommendation {
  const { current = {}, autoscaler, replicas } = workload
  return sizeFromEvidence(gatherEvidence(workload, context, workspace), current, {
    ...context,
    ...(autoscaler === undefined ? {} : { autoscaler }),
    ...(replicas === undefined ? {} : { replicas }),
  })
}
