import type { Architecture, OperatingSystem, Term, UsageType } from '../domain/offer.ts'
import { architectures, operatingSystems, terms, usageTypes } from '../domain/offer.ts'
import { compareText } from './dictionary.ts'
import type { Machines } from './machines.ts'
import type { Ids } from './narrow.ts'
import type { OfferRecords } from './offer-records.ts'
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

/** On what terms a price holds, in which zone, and where it comes from: a few hundred combinations serve all offers. */
export interface Label {
  readonly term: Term
  readonly zone: string
  readonly source: string
  readonly day: string
}

export interface Labels {
  readonly values: readonly Label[]
  readonly term: Uint8Array
  readonly zone: Ids
}

/**
 * All offers, immutable, in the order (instance type, operating system) = group, usage type, cell, canonical order.
 * A cell is what a group and usage type have at one place; cells stand in the order of their cheapest offers.
 * docs/algorithms/catalogue.md draws it.
 */
export interface Columns {
  readonly count: number
  readonly types: readonly string[]
  readonly places: readonly Place[]
  readonly zones: readonly string[]
  readonly machines: Machines
  readonly labels: Labels
  readonly groupType: Ids
  readonly groupOs: Uint8Array
  /** Cells of group g and usage type u: [cellsStart[g * usageCount + u], the next one). */
  readonly cellsStart: Uint32Array
  readonly cellPlace: Ids
  /** Offers of cell c: [offersStart[c], offersStart[c + 1]). */
  readonly offersStart: Uint32Array
  readonly offers: OfferRecords
  readonly skus: SkuColumns
}

export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.provider, b.provider) || compareText(a.region, b.region)
}
