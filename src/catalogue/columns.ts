import type { Architecture, OperatingSystem, Term, UsageType } from '../domain/offer.ts'
import { architectures, operatingSystems, terms, usageTypes } from '../domain/offer.ts'
import { compareText } from './dictionary.ts'
import type { Machines } from './machines.ts'
import type { Ids } from './narrow.ts'
import type { SkuColumns } from './skus.ts'

/** Ids of these compare like their texts. */
export const osNames: readonly OperatingSystem[] = [...operatingSystems].sort(compareText)
export const usageNames: readonly UsageType[] = [...usageTypes].sort(compareText)
export const termNames: readonly Term[] = [...terms].sort(compareText)
export const architectureNames: readonly Architecture[] = architectures
export const usageCount = usageNames.length

export interface Place {
  readonly provider: string
  readonly region: string
}

export interface Origin {
  readonly source: string
  readonly day: string
}

/**
 * All offers, immutable, in the order (instance type, operating system) = group, usage type, place = cell, then price,
 * term, zone, service. docs/algorithms/catalogue.md draws it.
 */
export interface Columns {
  readonly count: number
  readonly types: readonly string[]
  readonly places: readonly Place[]
  readonly zones: readonly string[]
  readonly origins: readonly Origin[]
  readonly machines: Machines
  readonly groupType: Ids
  readonly groupOs: Uint8Array
  /** Cells of group g and usage type u: [cellsStart[g * usageCount + u], the next one). */
  readonly cellsStart: Uint32Array
  readonly cellPlace: Ids
  /** Offers of cell c: [offersStart[c], offersStart[c + 1]). */
  readonly offersStart: Uint32Array
  readonly price: Float64Array
  readonly term: Uint8Array
  readonly zone: Ids
  readonly machine: Ids
  readonly origin: Ids
  readonly skus: SkuColumns
}

export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.provider, b.provider) || compareText(a.region, b.region)
}
