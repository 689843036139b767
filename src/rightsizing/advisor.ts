import type { SizeConstraints } from './constraints/sizing-rules.ts'
import { type Explanation, explain } from './explain.ts'
import type { SizingModel } from './model/model.ts'
import { recommend } from './recommend.ts'
import { RecommendationWorkspace } from './risk/resource-forecast.ts'
import type { Recommendation, ResourcePrices, SizingPreference, Workload } from './workload.ts'

/** The engine with a preference and a model; it gives sizes as people write them. */
export function advisorFor(preference: SizingPreference, model: SizingModel): SizeAdvisor {
  const context = { preference, model, round: roundUpSize }
  const workspace = new RecommendationWorkspace()
  return {
    recommend: (workload, moment) => recommend(workload, { ...context, ...moment }, workspace),
    explain: (workload, moment, made) => ({
      cpu: explain(workload, 'cpu', { ...context, ...moment }, made),
      memory: explain(workload, 'memory', { ...context, ...moment }, made),
    }),
  }
}

/** When and at which prices a workload is judged. */
interface AdviceContext {
  /** Hours since 1970; usage ends before it. */
  readonly atHour: number
  readonly prices: ResourcePrices
  readonly constraints?: SizeConstraints
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

/** Rounds up to the next whole millicore and MiB: finer sizes are not used, and costs are calculated from the rounded values. */
export const roundUpSize = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  const scaled = value * steps
  // What lies this close to a whole number is one, but for rounding; writing digits down takes long.
  const isWhole = Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-11
  return Math.ceil(isWhole ? Number(scaled.toPrecision(12)) : scaled) / steps
}
