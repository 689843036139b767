import type { KnownZone } from '../../domain/offer.ts'
import type { OfferColumns } from '../columns/columns.ts'
import type { ZoneLiesIn } from '../rules.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Which places a zone lies in: by the facts, by the offers that are priced in it, by what the provider knows of zone names. */
export class ZoneRegions {
  readonly #known = new Map<string, Set<number>>()
  readonly #asked = new Map<string, readonly number[]>()
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
    let places = this.#asked.get(zone)
    if (places === undefined) {
      const known = this.#known.get(zone.toLowerCase())
      places = this.#columns.places.flatMap((place, id) =>
        known?.has(id) || this.#liesIn(place.provider, zone, place.region) ? [id] : [],
      )
      if (this.#asked.size >= mostAsked) this.#asked.clear()
      this.#asked.set(zone, places)
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

/** Names that callers invent must not fill the memory. */
const mostAsked = 4096
