import type { SizeConstraints } from './constraints/sizing-rules.ts'
import type { Resource } from './input.ts'
import type { Rail } from './rails/rail.ts'
import type { ForecastContext } from './risk/resource-forecast.ts'
import type { SizingEvidence } from './sizing-evidence.ts'
import type { ResourcePrices, SizingPreference, Workload } from './workload.ts'

export interface EvidenceContext extends ForecastContext {
  /** The version of the model; absent if the organisation has none of its own. */
  readonly modelVersion?: string
  /**
   * A preference with a shortfall needs sizes of its own, which are computed for this one only. All other preferences can be
   * read from the same evidence.
   */
  readonly preference?: SizingPreference
  /** The decision of an earlier day, from which a new model moves sizes only step by step. */
  readonly before?: SizingEvidence
}

/** What a size depends on besides the evidence. It may be different each time the evidence is read. */
export interface SizingOptions {
  readonly prices: ResourcePrices
  readonly preference?: SizingPreference
  readonly constraints?: SizeConstraints
  readonly autoscaler?: NonNullable<Workload['autoscaler']>
  /** Mean number of replicas running at a time; 1 by default. */
  readonly replicas?: number
  /** Guard rails of requests; all by default. Benchmarks leave some out to see what they cost. */
  readonly rails?: readonly Rail[]
  /** Rounds sizes up to values that people set. Sizes are exact if it is absent. */
  readonly round?: (resource: Resource, value: number) => number
}

export interface RecommendationContext
  extends EvidenceContext,
    Omit<SizingOptions, 'autoscaler' | 'replicas' | 'preference'> {}
