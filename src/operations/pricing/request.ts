/** One instance as callers describe it; the members are the contract's. */
export interface InstanceDescription {
  readonly provider: string
  readonly region: string
  readonly instance_type: string
  readonly operating_system: string
  readonly usage_type: string
  readonly availability_zone?: string
  readonly service?: string
  readonly vm?: Resources
  /** Price at base rates what no price list has, instead of answering 404. */
  readonly fallback_to_base_pricing?: boolean
  readonly include_metadata?: boolean
}

export interface Resources {
  readonly cpu_cores: number
  readonly ram_gb: number
}

export interface RecommendationRequest extends InstanceDescription {
  readonly vm: Resources
  readonly usage: Resources
  readonly predicates: RequestPredicates
  /** equivalent: fewer cores will do where they are faster. */
  readonly performance?: (typeof performances)[number]
  readonly target_utilisation?: { readonly cpu?: number; readonly ram?: number }
  /** Groups, and offers in each. */
  readonly limit?: number
  readonly offers_per_type?: number
}

export interface RequestPredicates {
  readonly availability_zones?: readonly string[]
  readonly instance_types?: readonly string[]
  readonly providers?: readonly string[]
  readonly regions?: readonly string[]
  readonly usage_types?: readonly string[]
  readonly architectures?: readonly string[]
  /** A region of any provider, a city, or "latitude,longitude"; absent: where the current instance is. */
  readonly near?: string
  /** Regions at most so far from there, whatever the continent. */
  readonly distance_km?: number
}

export const performances = ['conservative', 'equivalent'] as const

export const defaultLimit = 20
export const maxGroups = 200
export const defaultOffersPerType = 3
export const maxOffersPerType = 50
