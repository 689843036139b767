import type { SizeConstraints } from './constraints/sizing-rules.ts'
import type { Resource } from './input.ts'
import type { ForecastContext } from './risk/resource-forecast.ts'
import type { ResourcePrices, SizingPreference } from './workload.ts'

/** Inputs of a recommendation other than the workload itself. */
export interface RecommendationContext extends ForecastContext {
  readonly prices: ResourcePrices
  readonly preference?: SizingPreference
  readonly constraints?: SizeConstraints
  /** Rounds up to sizes that people set; exact if absent. */
  readonly round?: (resource: Resource, value: number) => number
}
