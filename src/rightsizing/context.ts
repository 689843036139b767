import type { SizeConstraints } from './constraints/size-constraints.ts'
import type { Resource } from './input.ts'
import type { SizingModel } from './model/experience.ts'
import type { ResourcePrices, SizingPreference } from './workload.ts'

/** Inputs of a recommendation other than the workload itself. */
export interface RecommendationContext {
  /** Hours since 1970: usage that begins later is ignored. */
  readonly atHour: number
  /** {} where the organisation has none yet. */
  readonly model: SizingModel
  readonly prices: ResourcePrices
  readonly preference?: SizingPreference
  readonly constraints?: SizeConstraints
  /** Rounds up to sizes that people set; exact if absent. */
  readonly round?: (resource: Resource, value: number) => number
}
