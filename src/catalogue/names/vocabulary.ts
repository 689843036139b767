import type { KnownZone } from '../../domain/offer.ts'
import type { OfferColumns } from '../columns/columns.ts'
import { compareText, type IdArray, narrowIds } from '../columns/dictionary.ts'
import type { ZoneLiesIn } from '../rules.ts'

export interface Vocabulary {
  readonly providers: readonly string[]
  readonly placeProvider: IdArray
  readonly typesByName: IdsByName
  readonly placesByProvider: IdsByName
  readonly placesByRegion: IdsByName
  readonly zonesByName: IdsByName
  /** Groups of an instance type: [typeGroups[t], typeGroups[t + 1]). */
  readonly typeGroups: Uint32Array
}

export function vocabularyOf(columns: OfferColumns): Vocabulary {
  const { places, types, zones, groupType } = columns
  const providers = [...new Set(places.map((p) => p.provider))].sort(compareText)
  const providerIds = new Map(providers.map((name, i) => [name, i]))
  const typeGroups = new Uint32Array(types.length + 1)
  for (const t of groupType) typeGroups[t + 1]!++
  for (let t = 0; t < types.length; t++) typeGroups[t + 1]! += typeGroups[t]!
  return {
    providers,
    placeProvider: narrowIds(
      places.map((p) => providerIds.get(p.provider)!),
      providers.length,
    ),
    typesByName: new IdsByName(types),
    placesByProvider: new IdsByName(places.map((p) => p.provider)),
    placesByRegion: new IdsByName(places.map((p) => p.region)),
    zonesByName: new IdsByName(zones),
    typeGroups,
  }
}

/** Ids by name, in any letter case. Hardly any name has several, so a single id is stored without an array around it. */
export class IdsByName {
  readonly #first = new Map<string, number>()
  readonly #all = new Map<string, number[]>()

  constructor(names: readonly string[]) {
    for (const [id, name] of names.entries()) {
      const key = name.toLowerCase()
      const first = this.#first.get(key)
      if (first === undefined) this.#first.set(key, id)
      else this.#all.getOrInsert(key, [first]).push(id)
    }
  }

  has(name: string): boolean {
    return this.#first.has(name.toLowerCase())
  }

  idsOf(name: string): readonly number[] {
    const key = name.toLowerCase()
    const first = this.#first.get(key)
    return first === undefined ? [] : (this.#all.get(key) ?? [first])
  }
}

/** Found from the known zones, the offers that are priced in a zone, and what the provider declares about zone names. */
export class ZoneRegions {
  readonly #known = new Map<string, Set<number>>()
  readonly #cache = new Map<string, readonly number[]>()
  readonly #columns: OfferColumns
  readonly #liesIn: ZoneLiesIn

  constructor(columns: OfferColumns, words: Vocabulary, zones: readonly KnownZone[], liesIn: ZoneLiesIn) {
    this.#columns = columns
    this.#liesIn = liesIn
    for (const { provider, region, zone } of zones)
      for (const place of words.placesByRegion.idsOf(region))
        if (columns.places[place]!.provider === provider && columns.places[place]!.region === region)
          this.#add(zone, place)
    const { labels } = columns
    for (let l = 0; l < labels.place.length; l++) {
      const zone = columns.zones[labels.zone[l]!]!
      if (zone !== '') this.#add(zone, labels.place[l]!)
    }
  }

  placesOf(zone: string): readonly number[] {
    let places = this.#cache.get(zone)
    if (places === undefined) {
      const known = this.#known.get(zone.toLowerCase())
      places = this.#columns.places.flatMap((place, id) =>
        known?.has(id) || this.#liesIn(place.provider, zone, place.region) ? [id] : [],
      )
      if (this.#cache.size >= maxCached) this.#cache.clear()
      this.#cache.set(zone, places)
    }
    return places
  }

  #add(zone: string, place: number): void {
    const name = zone.toLowerCase()
    const places = this.#known.get(name)
    if (places === undefined) this.#known.set(name, new Set([place]))
    else places.add(place)
  }
}

/** Callers can send any name, so the cache must be limited. */
const maxCached = 4096
