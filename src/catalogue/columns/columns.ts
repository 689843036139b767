import {
  type Architecture,
  architectures,
  type OperatingSystem,
  operatingSystems,
  type Term,
  terms,
  type UsageType,
  usageTypes,
} from '../../domain/offer.ts'
import { compareText, type IdArray } from './dictionary.ts'
import type { Machines } from './machines.ts'
import type { SkuColumns } from './skus.ts'

/** Ids of these compare like their texts. */
export const osNames: readonly OperatingSystem[] = [...operatingSystems].sort(compareText)
export const usageNames: readonly UsageType[] = [...usageTypes].sort(compareText)
export const termNames: readonly Term[] = [...terms].sort(compareText)
export const architectureNames: readonly Architecture[] = architectures
export const usageCount = usageNames.length

export interface ProviderRegion {
  readonly provider: string
  readonly region: string
}

/** Where a price holds, on what terms, and where it comes from: a few thousand combinations serve all offers. */
export interface PriceLabel extends ProviderRegion {
  readonly term: Term
  readonly zone: string
  readonly source: string
  readonly day: string
}

export interface PriceLabels {
  readonly values: readonly PriceLabel[]
  readonly place: IdArray
  readonly term: Uint8Array
  readonly zone: IdArray
}

/**
 * All offers, immutable: by instance type and operating system, which make a group, by usage type, which makes a slot,
 * and in each slot in canonical order. docs/algorithms/catalogue.md draws it.
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
  /** Offers of slot s = group x usageCount + usage type: [slotStart[s], slotStart[s + 1]). */
  readonly slotStart: Uint32Array
  readonly offers: OfferRecords
  /** What the labels say of places, once more: to walk past other places without looking at the offers there. */
  readonly offerPlace: IdArray
  /** The prices alone, by position. */
  readonly price: Iterable<number>
  readonly skus: SkuColumns
}

export function compareRegions(a: ProviderRegion, b: ProviderRegion): number {
  return compareText(a.provider, b.provider) || compareText(a.region, b.region)
}

export const slotOf = (columns: OfferColumns, offer: number): number => rangeIndexAt(columns.slotStart, offer)
export const groupOf = (slot: number): number => Math.floor(slot / usageCount)
export const usageOf = (slot: number): number => slot % usageCount

/** The last i whose range [starts[i], starts[i + 1]) begins at or before the position and is not empty. */
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
 * The order of all answers: price, provider, region, instance type, usage type, term, zone, service; names and terms in
 * plain text order. Only what differs in nothing of these keeps the order in which it came.
 */
export function compareOffers(
  a: OfferColumns,
  slotA: number,
  offerA: number,
  b: OfferColumns,
  slotB: number,
  offerB: number,
): number {
  const byPrice = a.offers.price(offerA) - b.offers.price(offerB)
  if (byPrice !== 0) return byPrice
  if (a !== b) return compareAcross(a, slotA, offerA, b, slotB, offerB)
  const { labels, machines, offers, groupType } = a
  const labelA = offers.label(offerA)
  const labelB = offers.label(offerB)
  return (
    labels.place[labelA]! - labels.place[labelB]! ||
    groupType[groupOf(slotA)]! - groupType[groupOf(slotB)]! ||
    usageOf(slotA) - usageOf(slotB) ||
    labels.term[labelA]! - labels.term[labelB]! ||
    labels.zone[labelA]! - labels.zone[labelB]! ||
    machines.service(offers.machine(offerA)) - machines.service(offers.machine(offerB)) ||
    offerA - offerB
  )
}

const compareAcross: typeof compareOffers = (a, slotA, offerA, b, slotB, offerB) => {
  const labelA = a.labels.values[a.offers.label(offerA)]!
  const labelB = b.labels.values[b.offers.label(offerB)]!
  return (
    compareText(labelA.provider, labelB.provider) ||
    compareText(labelA.region, labelB.region) ||
    compareText(typeOf(a, slotA), typeOf(b, slotB)) ||
    usageOf(slotA) - usageOf(slotB) ||
    compareText(labelA.term, labelB.term) ||
    compareText(labelA.zone, labelB.zone) ||
    compareText(serviceOf(a, offerA), serviceOf(b, offerB))
  )
}

const typeOf = ({ types, groupType }: OfferColumns, slot: number): string => types[groupType[groupOf(slot)]!]!

const serviceOf = ({ machines, offers }: OfferColumns, offer: number): string =>
  machines.services[machines.service(offers.machine(offer))]!

/**
 * What search reads of an offer, side by side, so that one look into memory fetches all of it (and that of its neighbours):
 *
 *   0        8          12        16
 *   | price  | machine  | label   |
 */
export class OfferRecords {
  readonly count: number
  /** Record i has its price at [i * 2] of these, */
  readonly numbers: Float64Array
  /** its machine and label at [i * 4 + 2] and [i * 4 + 3] of these. */
  readonly words: Uint32Array

  constructor(count: number, numbers: Float64Array = new Float64Array(count * 2)) {
    this.count = count
    this.numbers = numbers
    this.words = new Uint32Array(this.numbers.buffer)
  }

  /** Records that are there already. */
  static over(numbers: Float64Array): OfferRecords {
    return new OfferRecords(numbers.length / 2, numbers)
  }

  get byteLength(): number {
    return this.numbers.byteLength
  }

  set(i: number, price: number, machine: number, label: number): void {
    this.numbers[i * 2] = price
    this.words[i * 4 + 2] = machine
    this.words[i * 4 + 3] = label
  }

  /** All of them, in order. */
  prices(): Iterable<number> {
    const { numbers } = this
    return {
      *[Symbol.iterator]() {
        for (let i = 0; i < numbers.length; i += 2) yield numbers[i]!
      },
    }
  }

  price(i: number): number {
    return this.numbers[i * 2]!
  }

  machine(i: number): number {
    return this.words[i * 4 + 2]!
  }

  label(i: number): number {
    return this.words[i * 4 + 3]!
  }
}
