import type { Likeness } from './likeness.ts'
import type { Architecture, Offer, OperatingSystem, UsageType } from './offer.ts'

/** What a caller limits candidates to. An absent member limits nothing; names match in any letter case. */
export interface Predicates {
  readonly availabilityZones?: readonly string[] | undefined
  readonly instanceTypes?: readonly string[] | undefined
  /** Provider keys, or names of marketplace providers. */
  readonly providers?: readonly string[] | undefined
  readonly regions?: readonly string[] | undefined
  readonly usageTypes?: readonly UsageType[] | undefined
}

/** What a candidate must hold, and for less than what. */
export interface Need {
  readonly vcpus: number
  readonly ramGib: number
  /** A burstable type must sustain this much: vcpus x baseline >= sustainedVcpus. */
  readonly sustainedVcpus: number
  readonly operatingSystem: OperatingSystem
  /** Absent: any. An offer of unknown architecture always matches. */
  readonly architectures?: readonly Architecture[] | undefined
  /** count 0: no GPU wanted, and none accepted. */
  readonly gpu: { readonly count: number; readonly name: string }
  readonly belowPerHourUsd: number
  readonly belowPerMonthUsd: number
  readonly predicates: Predicates
  /** What a candidate's type must have in common with the current one; absent: any type. A type that is named explicitly need not be alike. */
  readonly like?: Likeness | undefined
  /** Absent: anywhere. */
  readonly near?: Near | undefined
  /** Whether offers in a local zone are left out. */
  readonly withoutLocalZones?: boolean | undefined
  /** How many types, and how many offers of each. */
  readonly limit: number
  readonly offersPerType: number
}

/** Regions of one area can replace each other; additionally single regions. A region without an area is near to all. */
export interface Near {
  readonly area: string
  readonly places: readonly { readonly provider: string; readonly region: string }[]
}

/** One answer group: the cheapest offers of a type, cheapest first. */
export interface FoundType {
  readonly instanceType: string
  readonly offers: readonly Offer[]
}

/**
 * The same in numbers, for who needs no offers of it: the offers of type g are those from starts[g] to starts[g + 1],
 * each known by which of the catalogues searched it is of and by its position there. The next search overwrites it.
 */
export interface FoundPositions {
  readonly types: number
  readonly starts: Int32Array
  readonly sources: Int32Array
  readonly positions: Int32Array
}
