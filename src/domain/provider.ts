import type { NodePlacement, NodeTaint } from './node-placement.ts'
import type { OperatingSystem } from './offer.ts'

/** What a provider declares about itself. Shared code reads these members and never compares the name of a provider. */
export interface Provider {
  readonly key: string
  readonly displayName: string
  readonly service: string
  /** Lower-case names that are accepted in addition to the key and the display name. */
  readonly aliases: readonly string[]
  readonly serviceAliases: readonly string[]
  /** Whether it is shown in /providers and searched without being turned on by an operator. */
  readonly onByDefault: boolean
  /** Whether a zone, in any form its users write, lies in a region. */
  isZoneInRegion(zone: string, region: string): boolean
  /** Whether a zone is outside the data centres of its region; absent if no zone is. */
  isLocalZone?(zone: string): boolean
  /** Whether a zone name means a different zone in each account; absent if no zone name does. */
  isZoneOfAccount?(zone: string): boolean
  /** Zones of the same name that every region has. */
  readonly zonesOfEveryRegion?: readonly string[]
  /**
   * Whether the series of a type exists in a region. Price lists also have prices for regions without it: a machine there
   * is priced, but never recommended. If absent, everything is sold where it has a price.
   */
  isSoldIn?(instanceType: string, region: string): boolean
  /** Those that run keep their price; savings plans are other commitments. If absent, all that have a price can be. */
  isReservable?(instanceType: string): boolean
  /** Types of one family share core and GiB rates; '' if the name contains no family. */
  familyOf(instanceType: string): string
  /** Share of one vCPU that each sustains; null if the type is not burstable or its baseline is unknown. */
  burstableBaselineOf(instanceType: string): number | null
  /** By which an on-demand machine that runs the whole month costs less; absent if there is no such discount. */
  sustainedUseDiscountOf?(instanceType: string): number
  /** How commitments apply; absent if a reservation is for one type and everything can be covered. */
  readonly commitments?: CommitmentRules
  /** Returns the full names that a shortened name of a type may mean; absent if names are written in only one way. */
  otherTypeNames?(name: string): readonly string[]
  /** Its size is in the name, its price comes from the rates of its family; null if the name describes none. */
  customType?(instanceType: string): CustomType | null
  /** As a clause, what is wrong with a name that looks like a custom type but is not valid; undefined otherwise. */
  wrongWithCustomType?(instanceType: string): string | undefined
  /** What its Kubernetes service publishes about nodes; absent if nothing is known. */
  readonly kubernetes?: KubernetesNodes
  /** Returns the facts in the providerID of a Kubernetes node; undefined if it belongs to another provider. */
  nodeOf?(providerId: string, instanceType: string): { readonly zone?: string } | undefined
}

/** How a Kubernetes service configures the nodes that it makes. */
export interface KubernetesNodes {
  readonly service: string
  /** The limit of pods on a node if users change nothing; undefined if it does not depend on the type. */
  podsOn?(instanceType: string, vcpus: number): number | undefined
  /** What its documentation advises for spot nodes; absent if it advises none. */
  readonly spotTaint?: NodeTaint
  /** By the name of the format. */
  readonly poolWriters?: Readonly<Record<string, PoolWriter>>
  /** What the system, the kubelet and the eviction threshold keep of a node with this limit of pods. */
  reserve(node: NodeResources): Omit<NodeResources, 'pods'>
}

/** Writes node pools as a tool of the provider reads them. */
export type PoolWriter = (cluster: string, pools: readonly WrittenPool[]) => string

/** A number of nodes of one type. */
export interface WrittenPool {
  /** At most 40 lower-case letters, digits and dashes, which end with the number. */
  readonly name: string
  /** From 1. */
  readonly number: number
  readonly instanceType: string
  readonly region: string
  /** The most, and the fewest that an autoscaler should keep. */
  readonly count: number
  readonly fewest: number
  /** Undefined if the nodes can be in any zone. */
  readonly zone: string | undefined
  readonly placement: NodePlacement
  readonly isSpot: boolean
  readonly isWindows: boolean
  readonly architecture: string
  /** Each node's. */
  readonly cores: number
  readonly gib: number
  readonly gpus: number
}

interface NodeResources {
  readonly cores: number
  readonly gib: number
  readonly pods: number
}

interface CommitmentRules {
  /** Returns undefined if reservations of the type cover no other size, or catalogue/flexible-sizes.json has the sizes. */
  flexibleSizeOf?(instanceType: string): FlexibleSize | undefined
  /** The operating systems for which a reservation covers other sizes. */
  readonly flexibleSystems: readonly OperatingSystem[]
  /** Whether a savings plan can be for one family, at the rates of its reservations. */
  readonly hasFamilyPlans?: boolean
  /** Whether cores and GiB are sold by themselves: committed use. */
  readonly hasCommittedUse?: boolean
  /** Whether commitments cover the licence of the operating system as well. */
  readonly coverLicences: boolean
}

/** A reservation of one size covers the others of its group in proportion to the units: one of 16 two of 8. */
export interface FlexibleSize {
  readonly group: string
  readonly units: number
}

export interface CustomType {
  readonly family: string
  /** Family of the offers that are priced at custom rates; a catalogue may have none. */
  readonly customFamily: string
  readonly vcpus: number
  readonly ramGib: number
}
