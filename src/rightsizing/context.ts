import type { SizeConstraints } from './constraints/sizing-rules.ts'
import type { Resource } from './input.ts'
import type { ForecastContext } from './risk/resource-forecast.ts'
import type { ResourcePrices, SizingPreference } from './workload.ts'

/** Inputs of a recommendation other than the workload itself. */
export interface RecommendationContext extends ForecastContext {
  readonly prices: ResourcePrices
  readonly preference?: SizingPreference
  readonly constraints?: SizeConstraints
  /** Rounds sizes up to values that people set. Sizes are exact if it is absent. */
  readonly round?: (resource: Resource, value: number) => number
}
