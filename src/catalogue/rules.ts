import type { TypeTraits } from '../domain/comparability.ts'

/** Whether a zone, in any form its users write, lies in a region of a provider. */
export type ZoneLiesIn = (provider: string, zone: string, region: string) => boolean

/** What a catalogue knows about providers, types and regions in addition to its offers. */
export interface CatalogueRules {
  /** If absent, a zone lies where offers and known zones place it. */
  readonly isZoneInRegion?: ZoneLiesIn
  /** If absent, no zone is local. */
  readonly isLocalZone?: (provider: string, zone: string) => boolean
  /**
   * Regions of one area can replace each other; the area '' is near to all. If absent, all
   * regions are near to each other.
   */
  readonly areaOf?: (provider: string, region: string) => string
  /** Whether a type can be bought in a region. If absent, everything can be bought where it has a price. */
  readonly isSoldIn?: (provider: string, instanceType: string, region: string) => boolean
  /** Whether reservations of a type can still be bought. If absent, all that have a price can be. */
  readonly isReservable?: (provider: string, instanceType: string) => boolean
  /** If absent, all types are ordinary and of unknown speed. */
  readonly traitsOf?: (provider: string, instanceType: string) => TypeTraits
}
