import type { KnownZone } from '../../domain/offer.ts'
import type { OfferColumns } from '../columns/columns.ts'
import { compareText, type IdArray, narrowIds } from '../columns/dictionary.ts'
import type { ZoneLiesIn } from '../rules.ts'

/** Maps names, in any letter case, to the ids of the columns. */
export interface Vocabulary {
  readonly providers: readonly string[]
  readonly placeProvider: IdArray
  readonly typesByName: ReadonlyMap<string, readonly number[]>
  readonly placesByProvider: ReadonlyMap<string, readonly number[]>
  readonly placesByRegion: ReadonlyMap<string, readonly number[]>
  readonly zonesByName: ReadonlyMap<string, readonly number[]>
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
    typesByName: idsByName(types),
    placesByProvider: idsByName(places.map((p) => p.provider)),
    placesByRegion: idsByName(places.map((p) => p.region)),
    zonesByName: idsByName(zones),
    typeGroups,
  }
}

export function idsByName(names: readonly string[]): Map<string, number[]> {
  const ids = new Map<string, number[]>()
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!.toLowerCase()
    const known = ids.get(name)
    if (known === undefined) ids.set(name, [i])
    else known.push(i)
  }
  return ids
}

/**
 * Finds the places in which a zone lies: from the known zones, from the offers that are priced in it, and from what the
 * provider declares about zone names.
 */
export class ZoneRegions {
  readonly #known = new Map<string, Set<number>>()
  readonly #cache = new Map<string, readonly number[]>()
  readonly #columns: OfferColumns
  readonly #liesIn: ZoneLiesIn

  constructor(columns: OfferColumns, words: Vocabulary, zones: readonly KnownZone[], liesIn: ZoneLiesIn) {
    this.#columns = columns
    this.#liesIn = liesIn
    for (const { provider, region, zone } of zones)
      for (const place of words.placesByRegion.get(region.toLowerCase()) ?? [])
        if (columns.places[place]!.provider === provider && columns.places[place]!.region === region)
          this.#add(zone, place)
    const { labels } = columns
    for (let l = 0; l < labels.values.length; l++)
      if (labels.values[l]!.zone !== '') this.#add(labels.values[l]!.zone, labels.place[l]!)
  }

  placesOf(zone: string): readonly number[] {
    let places = this.#cache.get(zone)
    if (places === undefined) {
      const known = this.#known.get(zone.toLowerCase())
      places = this.#columns.places.flatMap((place, id) =>
        known?.has(id) || this.#liesIn(place.provider, zone, place.region) ? [id] : [],
      )
      if (this.#cache.size >= mostCached) this.#cache.clear()
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
const mostCached = 4096
