import {
  type Architecture,
  architectures,
  type OperatingSystem,
  operatingSystems,
  type Term,
  termLength,
  terms,
  type UsageType,
  usageTypes,
} from '../../domain/offer.ts'
import { compareText, type IdArray } from './dictionary.ts'
import type { Machines } from './machines.ts'
import type { SkuColumns } from './skus.ts'

/** These names are sorted, so their ids compare like the names. */
export const osNames: readonly OperatingSystem[] = [...operatingSystems].sort(compareText)
export const usageNames: readonly UsageType[] = [...usageTypes].sort(compareText)
export const termNames: readonly Term[] = [...terms].sort(compareText)
export const architectureNames: readonly Architecture[] = architectures

/** A usage type, and for reserved prices the length of the term; '' is that of marketplace prices, which have no term. */
interface PurchaseOption {
  readonly usageType: UsageType
  readonly termLength: string
}

export const purchaseOptions: readonly PurchaseOption[] = usageNames.flatMap((usageType) => {
  const lengths = usageType === 'RESERVED' ? [...new Set(termNames.map(termLength))] : ['']
  return lengths.map((length) => ({ usageType, termLength: length }))
})
export const optionCount = purchaseOptions.length

export function purchaseOptionOf(usageType: UsageType, term: Term): number {
  const length = usageType === 'RESERVED' ? termLength(term) : ''
  return purchaseOptions.findIndex((option) => option.usageType === usageType && option.termLength === length)
}

const optionUsage = Uint8Array.from(purchaseOptions, ({ usageType }) => usageNames.indexOf(usageType))

export interface ProviderRegion {
  readonly provider: string
  readonly region: string
}

export interface LabelOrigin {
  readonly source: string
  readonly day: string
  readonly priceRules?: readonly string[] | undefined
}

/** Where prices apply, for which term, and where they come from. All offers share a few thousand combinations. */
export interface PriceLabels {
  readonly place: IdArray
  readonly term: Uint8Array
  readonly zone: IdArray
  readonly origin: IdArray
  readonly origins: readonly LabelOrigin[]
}

/**
 * What search reads of each offer, by position. Each field is an array of its own, so that reading the places or prices of
 * neighbours takes few memory accesses.
 */
export interface OfferFields {
  readonly price: Float64Array
  readonly machine: IdArray
  readonly label: IdArray
  /** Copied from the label, so that search can skip other places without reading the offers there. */
  readonly place: IdArray
}

/**
 * All offers, immutable. An instance type with an operating system is a group, and a group with a purchase option is a
 * slot. The offers of a slot are in canonical order. docs/algorithms/catalogue.md draws the layout.
 */
export interface OfferColumns {
  readonly count: number
  readonly types: readonly string[]
  readonly places: readonly ProviderRegion[]
  readonly zones: readonly string[]
  readonly machines: Machines
  readonly labels: PriceLabels
  readonly groupType: IdArray
  readonly groupOs: Uint8Array
  /** Offers of slot s = group x optionCount + purchase option: [slotStart[s], slotStart[s + 1]). */
  readonly slotStart: Uint32Array
  readonly offers: OfferFields
  readonly skus: SkuColumns
}

export function compareRegions(a: ProviderRegion, b: ProviderRegion): number {
  return compareText(a.provider, b.provider) || compareText(a.region, b.region)
}

export const slotOf = (columns: OfferColumns, offer: number): number => rangeIndexAt(columns.slotStart, offer)
export const groupOf = (slot: number): number => Math.floor(slot / optionCount)
export const optionOf = (slot: number): number => slot % optionCount
export const usageOf = (slot: number): number => optionUsage[optionOf(slot)]!

/** Returns the i whose range [starts[i], starts[i + 1]) contains the position. */
function rangeIndexAt(starts: Uint32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= position) low = middle
    else high = middle
  }
  return low
}

/**
 * Compares offers in canonical order, which is the order of all answers: price, provider, region, instance type,
 * usage type, term, zone, service; names and terms in plain text order. Offers that differ in none of these keep the
 * order in which they came.
 */
export function compareOffers(
  a: OfferColumns,
  slotA: number,
  offerA: number,
  b: OfferColumns,
  slotB: number,
  offerB: number,
): number {
  const byPrice = a.offers.price[offerA]! - b.offers.price[offerB]!
  if (byPrice !== 0) return byPrice
  if (a !== b) return compareAcross(a, slotA, offerA, b, slotB, offerB)
  const { labels, machines, offers, groupType } = a
  const labelA = offers.label[offerA]!
  const labelB = offers.label[offerB]!
  return (
    labels.place[labelA]! - labels.place[labelB]! ||
    groupType[groupOf(slotA)]! - groupType[groupOf(slotB)]! ||
    usageOf(slotA) - usageOf(slotB) ||
    labels.term[labelA]! - labels.term[labelB]! ||
    labels.zone[labelA]! - labels.zone[labelB]! ||
    machines.service(offers.machine[offerA]!) - machines.service(offers.machine[offerB]!) ||
    offerA - offerB
  )
}

const compareAcross: typeof compareOffers = (a, slotA, offerA, b, slotB, offerB) => {
  const labelA = a.offers.label[offerA]!
  const labelB = b.offers.label[offerB]!
  return (
    compareRegions(a.places[a.labels.place[labelA]!]!, b.places[b.labels.place[labelB]!]!) ||
    compareText(typeOf(a, slotA), typeOf(b, slotB)) ||
    usageOf(slotA) - usageOf(slotB) ||
    a.labels.term[labelA]! - b.labels.term[labelB]! ||
    compareText(a.zones[a.labels.zone[labelA]!]!, b.zones[b.labels.zone[labelB]!]!) ||
    compareText(serviceOf(a, offerA), serviceOf(b, offerB))
  )
}

const typeOf = ({ types, groupType }: OfferColumns, slot: number): string => types[groupType[groupOf(slot)]!]!

const serviceOf = ({ machines, offers }: OfferColumns, offer: number): string =>
  machines.services[machines.service(offers.machine[offer]!)]!
