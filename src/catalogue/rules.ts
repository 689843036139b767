import type { TypeTraits } from '../domain/likeness.ts'

/** Whether a zone, in any form its users write, lies in a region of a provider. */
export type ZoneLiesIn = (provider: string, zone: string, region: string) => boolean

/** What a catalogue knows of providers, types and regions beside its offers. */
export interface CatalogueRules {
  /** Absent: a zone lies where offers and known zones say. */
  readonly zoneLiesIn?: ZoneLiesIn
  /** Absent: no zone is. */
  readonly isLocalZone?: (provider: string, zone: string) => boolean
  /** Regions of one area stand in for each other; '' is near to all. Absent: all are. */
  readonly areaOf?: (provider: string, region: string) => string
  /** Absent: all types are ordinary, and their speed is not known. */
  readonly traitsOf?: (provider: string, instanceType: string) => TypeTraits
}
