import type { SizeConstraints } from './constraints/sizing-rules.ts'
import { type Explanation, explain } from './explain.ts'
import type { SizingModel } from './model/model.ts'
import { recommend } from './recommend.ts'
import { RecommendationWorkspace } from './risk/resource-forecast.ts'
import type { ResourcePrices, SizeRecommendation, SizingPreference, Workload } from './workload.ts'

/** Binds the engine to a preference and a model. It rounds sizes up to whole millicores and MiB. */
export function advisorFor(preference: SizingPreference, model: SizingModel): SizeAdvisor {
  const context = { preference, model, round: roundUpSize }
  const workspace = new RecommendationWorkspace()
  return {
    recommend: (workload, moment) => recommend(workload, { ...context, ...moment }, workspace),
    explain: (workload, moment, recommendation) => {
      const ruled = { ...context, ...moment, preference: moment.constraints?.preference ?? preference }
      return {
        cpu: explain(workload, 'cpu', ruled, recommendation),
        memory: explain(workload, 'memory', ruled, recommendation),
      }
    },
  }
}

interface SizingMoment {
  /** Hours since 1970; later usage is ignored. */
  readonly atHour: number
  readonly prices: ResourcePrices
  readonly constraints?: SizeConstraints
}

export interface SizeAdvisor {
  recommend(workload: Workload, moment: SizingMoment): SizeRecommendation
  explain(workload: Workload, moment: SizingMoment, recommendation: SizeRecommendation): Explanations
}

export interface Explanations {
  readonly cpu: Explanation | null
  readonly memory: Explanation | null
}

/** Rounds up to the next whole millicore and MiB: finer sizes are not used, and costs are calculated from the rounded values. */
export const roundUpSize = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  const scaled = value * steps
  // A value this close to a whole number may differ from it only by rounding errors. Only such values use toPrecision,
  // which is slow.
  const isWhole = Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-11
  return Math.ceil(isWhole ? Number(scaled.toPrecision(12)) : scaled) / steps
}
