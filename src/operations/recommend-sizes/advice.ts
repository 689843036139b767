import type { Explanation } from '../../rightsizing/explain.ts'
import type { Recommendation, ResourcePrices, Workload } from '../../rightsizing/workload.ts'

/** When and at which prices a workload is judged. */
export interface AdviceContext {
  /** Hours since 1970; usage ends before it. */
  readonly atHour: number
  readonly prices: ResourcePrices
}

/** How big a container should be, and why. */
export interface SizeAdvisor {
  recommend(workload: Workload, moment: AdviceContext): Recommendation
  explain(workload: Workload, moment: AdviceContext, made: Recommendation): Explanations
}

export interface Explanations {
  readonly cpu: Explanation | null
  readonly memory: Explanation | null
}
