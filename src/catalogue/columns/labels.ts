import {
  type OfferRecords,
  type PriceLabel,
  type PriceLabels,
  type ProviderRegion,
  termNames,
} from './columns.ts'
import { type IdArray, idArray, narrowIds } from './dictionary.ts'

export function offerRegions(offers: OfferRecords, labels: PriceLabels, places: number): IdArray {
  const offerPlace = idArray(offers.count, places)
  for (let i = 0; i < offers.count; i++) offerPlace[i] = labels.place[offers.label(i)]!
  return offerPlace
}

export function buildLabels(
  values: readonly PriceLabel[],
  places: readonly ProviderRegion[],
  zones: readonly string[],
): PriceLabels {
  const placeIds = new RegionDictionary()
  for (const { provider, region } of places) placeIds.id(provider, region)
  const zoneIds = new Map(zones.map((zone, i) => [zone, i]))
  return {
    values,
    place: narrowIds(
      values.map(({ provider, region }) => placeIds.id(provider, region)),
      places.length,
    ),
    term: Uint8Array.from(values, ({ term }) => termNames.indexOf(term)),
    zone: narrowIds(
      values.map(({ zone }) => zoneIds.get(zone)!),
      zones.length,
    ),
  }
}

/** Gives each provider's region an id in order of appearance. */
export class RegionDictionary {
  readonly values: ProviderRegion[] = []
  readonly #ids = new Map<string, Map<string, number>>()

  id(provider: string, region: string): number {
    let regions = this.#ids.get(provider)
    if (regions === undefined) {
      regions = new Map()
      this.#ids.set(provider, regions)
    }
    let id = regions.get(region)
    if (id === undefined) {
      id = this.values.length
      regions.set(region, id)
      this.values.push({ provider, region })
    }
    return id
  }
}
