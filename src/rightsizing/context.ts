import type { Resource } from './input.ts'
import type { SizingModel } from './model/experience.ts'
import type { ResourcePrices, SizingPreference } from './workload.ts'

/** What a recommendation is made with beside the workload itself. */
export interface RecommendationContext {
  /** Hours since 1970: usage that begins later is not looked at. */
  readonly atHour: number
  /** {} where the organisation has none yet. */
  readonly model: SizingModel
  readonly prices: ResourcePrices
  readonly preference?: SizingPreference
  /** To sizes that people set, never down; exact where it says nothing. */
  readonly round?: (resource: Resource, value: number) => number
}
