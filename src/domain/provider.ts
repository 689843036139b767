/**
 * What a provider declares of itself. Shared code reads these members and never asks for a provider's name.
 */
export interface Provider {
  readonly key: string
  readonly displayName: string
  readonly service: string
  /** Lower-case names accepted besides the key and the display name. */
  readonly aliases: readonly string[]
  readonly serviceAliases: readonly string[]
  /** Shown in /providers and searched unless an operator turns more on. */
  readonly onByDefault: boolean
  /** Whether a zone, in any form its users write, lies in a region. */
  zoneLiesIn(zone: string, region: string): boolean
  /** Whether a zone is one outside of its region's own data centres; absent: none is. */
  isLocalZone?(zone: string): boolean
  /** Whether a zone is written by a name that means another zone in each account; absent: none is. */
  isZoneOfAccount?(zone: string): boolean
  /** Zones of the same name that every region has. */
  readonly zonesOfEveryRegion?: readonly string[]
  /** Types of one family share core and GiB rates; '' if the name contains no family. */
  familyOf(instanceType: string): string
  /** Share of one vCPU that each vCPU sustains; null where the type is not burstable or its baseline not known. */
  burstableBaselineOf(instanceType: string): number | null
  /** How a type may be called in full whose name is written short; absent: names are written in one way. */
  otherTypeNames?(name: string): readonly string[]
  /** A type whose size is in its name and whose price comes from its family's rates; null where it is none. */
  customType?(instanceType: string): CustomType | null
  /** Which rule a name breaks that is written as a custom type but is none, as a clause; undefined where it is neither. */
  wrongWithCustomType?(instanceType: string): string | undefined
  /** The facts in a Kubernetes node's providerID; undefined if it belongs to another provider. */
  nodeOf?(providerId: string, instanceType: string): { readonly zone?: string } | undefined
}

export interface CustomType {
  readonly family: string
  /** Family of the offers that are priced at custom rates; a catalogue may have none. */
  readonly customFamily: string
  readonly vcpus: number
  readonly ramGib: number
}
