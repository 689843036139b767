import type { Offer, OperatingSystem, Term, UsageType } from '../domain/offer.ts'
import { compareOffers } from './canonical-order.ts'
import { osNames, usageCount, usageNames } from './columns.ts'
import { OfferView } from './offer-view.ts'
import { groupOfType, type Structure } from './structure.ts'

/** One type at one place. Names match in any letter case. */
export interface OffersQuery {
  readonly provider: string
  readonly region: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType?: UsageType
  readonly service?: string
}

/** All types of a family at one place, on one footing. */
export interface FamilyQuery {
  readonly provider: string
  readonly family: string
  readonly region: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly term: Term
  /** '' for the prices of the whole region. */
  readonly zone: string
}

/** Every term and zone, in canonical order. */
export function offersOf(structure: Structure, query: OffersQuery): Offer[] {
  const { columns, words } = structure
  const found: Position[] = []
  const usages = query.usageType === undefined ? usageNames : [query.usageType]
  for (const type of words.typesByName.get(query.instanceType.toLowerCase()) ?? []) {
    const group = groupOfType(columns, words, type, osNames.indexOf(query.operatingSystem))
    if (group < 0) continue
    for (const place of placesNamed(structure, query))
      for (const usage of usages) found.push(...offersAt(structure, group, usageNames.indexOf(usage), place))
  }
  if (found.length > 1)
    found.sort((a, b) => compareOffers(columns, a.slot, a.offer, columns, b.slot, b.offer))
  const offers = found.map(({ offer, slot }) => new OfferView(columns, offer, slot))
  const service = query.service?.toLowerCase()
  return service === undefined ? offers : offers.filter((o) => o.service.toLowerCase() === service)
}

/** In the order of instance types. */
export function familyOffers(structure: Structure, families: FamilyGroups, query: FamilyQuery): Offer[] {
  const { columns } = structure
  const usage = usageNames.indexOf(query.usageType)
  const zone = query.zone.toLowerCase()
  const found: Offer[] = []
  for (const place of placesNamed(structure, query))
    for (const group of families.get(familyKey(columns.places[place]!.provider, query.family)) ?? []) {
      if (columns.groupOs[group] !== osNames.indexOf(query.operatingSystem)) continue
      for (const { offer, slot } of offersAt(structure, group, usage, place)) {
        const at = new OfferView(columns, offer, slot).copy()
        if (at.term === query.term && at.family === query.family && at.zone.toLowerCase() === zone)
          found.push(at)
      }
    }
  return found
}

/** Groups by provider and family. */
export type FamilyGroups = ReadonlyMap<string, readonly number[]>

export function familyGroups({ columns, groups, words }: Structure): FamilyGroups {
  const { slotStart, offers, labels, machines } = columns
  const found = new Map<string, number[]>()
  for (let g = 0; g < groups.count; g++) {
    let last = -1
    for (let i = slotStart[g * usageCount]!; i < slotStart[(g + 1) * usageCount]!; i++) {
      const provider = words.placeProvider[labels.place[offers.label(i)]!]!
      const seen = offers.machine(i) * words.providers.length + provider
      if (seen === last) continue
      last = seen
      const family = machines.families[machines.family(offers.machine(i))]!
      const key = familyKey(words.providers[provider]!, family)
      const known = found.get(key)
      if (known === undefined) found.set(key, [g])
      else if (known.at(-1) !== g) known.push(g)
    }
  }
  return found
}

interface Position {
  readonly offer: number
  readonly slot: number
}

const familyKey = (provider: string, family: string): string => `${provider}\n${family}`

function placesNamed({ columns, words }: Structure, at: { provider: string; region: string }): number[] {
  const provider = at.provider.toLowerCase()
  const places = words.placesByRegion.get(at.region.toLowerCase()) ?? []
  return places.filter((place) => columns.places[place]!.provider.toLowerCase() === provider)
}

function offersAt({ columns }: Structure, group: number, usage: number, place: number): Position[] {
  const { slotStart, offers, labels } = columns
  const slot = group * usageCount + usage
  const found: Position[] = []
  for (let offer = slotStart[slot]!; offer < slotStart[slot + 1]!; offer++)
    if (labels.place[offers.label(offer)] === place) found.push({ offer, slot })
  return found
}
