import { type Label, type Labels, type Place, termNames } from './columns.ts'
import { type Ids, idArray, narrowed } from './id-array.ts'
import type { OfferRecords } from './offer-records.ts'
import { PlaceDictionary } from './region-dictionary.ts'

export function offerPlaces(offers: OfferRecords, labels: Labels, places: number): Ids {
  const offerPlace = idArray(offers.count, places)
  for (let i = 0; i < offers.count; i++) offerPlace[i] = labels.place[offers.label(i)]!
  return offerPlace
}

export function labelsOf(
  values: readonly Label[],
  places: readonly Place[],
  zones: readonly string[],
): Labels {
  const placeIds = new PlaceDictionary()
  for (const { provider, region } of places) placeIds.id(provider, region)
  const zoneIds = new Map(zones.map((zone, i) => [zone, i]))
  return {
    values,
    place: narrowed(
      values.map(({ provider, region }) => placeIds.id(provider, region)),
      places.length,
    ),
    term: Uint8Array.from(values, ({ term }) => termNames.indexOf(term)),
    zone: narrowed(
      values.map(({ zone }) => zoneIds.get(zone)!),
      zones.length,
    ),
  }
}
