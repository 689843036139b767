import type { Architecture, Offer, OperatingSystem, UsageType } from './offer.ts'

/** What a caller limits candidates to. An absent member limits nothing; names match in any letter case. */
export interface Predicates {
  readonly availabilityZones?: readonly string[]
  readonly instanceTypes?: readonly string[]
  /** Provider keys, or names of marketplace providers. */
  readonly providers?: readonly string[]
  readonly regions?: readonly string[]
  readonly usageTypes?: readonly UsageType[]
}

/** What a candidate must hold, and for less than what. */
export interface Need {
  readonly vcpus: number
  readonly ramGib: number
  /** A burstable type must sustain this much: vcpus x baseline >= sustainedVcpus. */
  readonly sustainedVcpus: number
  readonly operatingSystem: OperatingSystem
  /** Absent: any. An offer of unknown architecture always matches. */
  readonly architectures?: readonly Architecture[]
  /** count 0: no GPU wanted, and none accepted. */
  readonly gpu: { readonly count: number; readonly name: string }
  readonly belowPerHourUsd: number
  readonly belowPerMonthUsd: number
  readonly predicates: Predicates
  /** How many types, and how many offers of each. */
  readonly limit: number
  readonly offersPerType: number
}

/** One answer group: the cheapest offers of a type, cheapest first. */
export interface FoundType {
  readonly instanceType: string
  readonly offers: readonly Offer[]
}
