import type { Comparability } from './comparability.ts'
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

/** What a candidate must provide, and the price that it must be below. */
export interface Need {
  readonly vcpus: number
  readonly ramGib: number
  /** A burstable type must sustain this much: vcpus x baseline >= sustainedVcpus; shared vCPUs sustain half. */
  readonly sustainedVcpus: number
  /** The same for burstable types and for types with shared vCPUs, if the current machine is of that kind and sustains less. */
  readonly sustainedBurstableVcpus?: number | undefined
  readonly sustainedSharedVcpus?: number | undefined
  readonly operatingSystem: OperatingSystem
  /** Any architecture if absent. An offer of unknown architecture always matches. */
  readonly architectures?: readonly Architecture[] | undefined
  /** A count of 0 means that a candidate must not have a GPU. */
  readonly gpu: { readonly count: number; readonly name: string }
  readonly belowPerHourUsd: number
  readonly belowPerMonthUsd: number
  readonly predicates: Predicates
  /** Any type if absent. A type that is named explicitly need not be comparable. */
  readonly comparableTo?: Comparability | undefined
  /** The place of the current machine: among equal prices, offers there come first, then those of its provider. */
  readonly home?: { readonly provider: string; readonly region: string } | undefined
  /** Anywhere if absent. */
  readonly near?: Near | undefined
  /** Whether offers in a local zone are left out. */
  readonly withoutLocalZones?: boolean | undefined
  /** Length of the commitments among the offers, see termLength; any if absent. An offer without a term always matches. */
  readonly termLength?: string | undefined
  /** The maximum number of types, and of offers for each type. */
  readonly limit: number
  readonly offersPerType: number
}

/** In the regions of the area and the listed single regions. A region without an area is near to all. */
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
 * The result of a search as numbers, for callers that need no Offer objects. The offers of type g are those from
 * starts[g] to starts[g + 1]; each is given by the index of its catalogue among those searched (sources) and by its
 * position there. The next search overwrites the arrays.
 */
export interface FoundPositions {
  readonly types: number
  readonly starts: Int32Array
  readonly sources: Int32Array
  readonly positions: Int32Array
}
