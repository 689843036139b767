import type { Offer, OperatingSystem, UsageType } from '../../domain/offer.ts'
import {
  type OfferColumns,
  optionCount,
  osNames,
  purchaseOptionOf,
  usageNames,
  usageOf,
} from '../columns/columns.ts'
import { OfferView } from '../columns/offer-view.ts'
import type { SearchIndex } from './search-index.ts'

/** One type at one place. Names match in any letter case. */
export interface OffersQuery {
  readonly provider: string
  readonly region: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType?: UsageType
  readonly service?: string
}

/** Zone '' for the prices of the whole region. */
export type FamilyQuery = Pick<
  Offer,
  'provider' | 'family' | 'region' | 'operatingSystem' | 'usageType' | 'term' | 'zone'
>

/** Returns the offers of every term and zone, in canonical order. */
export function findOffers(searchIndex: SearchIndex, query: OffersQuery): OfferView[] {
  const { columns, words } = searchIndex
  const places = placesNamed(searchIndex, query)
  const os = osNames.indexOf(query.operatingSystem)
  const wanted = query.usageType === undefined ? -1 : usageNames.indexOf(query.usageType)
  const found: OfferView[] = []
  for (const type of words.typesByName.idsOf(query.instanceType)) {
    const group = groupOfType(searchIndex, type, os)
    if (group < 0) continue
    for (let slot = group * optionCount; slot < (group + 1) * optionCount; slot++)
      if (wanted < 0 || usageOf(slot) === wanted) addOffersAt(columns, slot, places, found)
  }
  if (found.length > 1) found.sort((a, b) => a.compareTo(b))
  const service = query.service?.toLowerCase()
  return service === undefined ? found : found.filter((o) => o.service.toLowerCase() === service)
}

/** Returns the offers in the order of instance types. */
export function familyOffers(
  searchIndex: SearchIndex,
  families: FamilyGroups,
  query: FamilyQuery,
): OfferView[] {
  const { columns } = searchIndex
  const option = purchaseOptionOf(query.usageType, query.term)
  const zone = query.zone.toLowerCase()
  const found: OfferView[] = []
  for (const place of placesNamed(searchIndex, query))
    for (const group of families.get(familyKey(columns.places[place]!.provider, query.family)) ?? []) {
      if (columns.groupOs[group] !== osNames.indexOf(query.operatingSystem)) continue
      const there: OfferView[] = []
      addOffersAt(columns, group * optionCount + option, [place], there)
      for (const at of there)
        if (at.term === query.term && at.family === query.family && at.zone.toLowerCase() === zone)
          found.push(at)
    }
  return found
}

export type FamilyGroups = ReadonlyMap<string, readonly number[]>

export function familyGroups({ columns, groups, words }: SearchIndex): FamilyGroups {
  const { slotStart, offers, machines } = columns
  const found = new Map<string, number[]>()
  for (let g = 0; g < groups.count; g++) {
    let last = -1
    for (let i = slotStart[g * optionCount]!; i < slotStart[(g + 1) * optionCount]!; i++) {
      const provider = words.placeProvider[offers.place[i]!]!
      const seen = offers.machine[i]! * words.providers.length + provider
      if (seen === last) continue
      last = seen
      const family = machines.families[machines.family(offers.machine[i]!)]!
      const key = familyKey(words.providers[provider]!, family)
      const known = found.get(key)
      if (known === undefined) found.set(key, [g])
      else if (known.at(-1) !== g) known.push(g)
    }
  }
  return found
}

const familyKey = (provider: string, family: string): string => `${provider}\n${family}`

/** Returns the places of a provider's region. Two providers rarely share a region name, so there is usually one place. */
function placesNamed({ columns, words }: SearchIndex, at: { provider: string; region: string }) {
  const provider = at.provider.toLowerCase()
  const places = words.placesByRegion.idsOf(at.region)
  const isOfProvider = (place: number) => columns.places[place]!.provider.toLowerCase() === provider
  return places.every(isOfProvider) ? places : places.filter(isOfProvider)
}

function addOffersAt(columns: OfferColumns, slot: number, places: readonly number[], found: OfferView[]) {
  const { slotStart, offers } = columns
  const end = slotStart[slot + 1]!
  for (const place of places)
    for (let offer = slotStart[slot]!; offer < end; offer++)
      if (offers.place[offer] === place) found.push(new OfferView(columns, offer, slot))
}

/** Returns the group of an instance type, named exactly, and an operating system; -1 if there is none. */
export function groupNamed(searchIndex: SearchIndex, instanceType: string, os: number): number {
  const { columns, words } = searchIndex
  for (const type of words.typesByName.idsOf(instanceType))
    if (columns.types[type] === instanceType) return groupOfType(searchIndex, type, os)
  return -1
}

export function groupOfType({ columns, words }: SearchIndex, type: number, os: number): number {
  for (let g = words.typeGroups[type]!; g < words.typeGroups[type + 1]!; g++)
    if (columns.groupOs[g] === os) return g
  return -1
}
