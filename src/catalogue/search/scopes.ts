import type { Areas } from '../areas.ts'
import { type OfferColumns, osNames, usageCount } from '../columns/columns.ts'
import type { Vocabulary } from '../names/vocabulary.ts'

/** The usage type of a list in which every usage type counts. */
export const anyUsage = usageCount

export const everywhere = 0

/** What lists are of, as numbers: everything, then places, zones, providers, areas, and what each provider has in each area. */
export class Scopes {
  readonly count: number
  readonly #zones: number
  readonly #providers: number
  readonly #areas: number
  readonly #parts: number
  readonly #areaCount: number

  constructor(columns: OfferColumns, words: Vocabulary, areas: Areas) {
    this.#areaCount = areas.count + 1
    this.#zones = 1 + columns.places.length
    this.#providers = this.#zones + columns.zones.length
    this.#areas = this.#providers + words.providers.length
    this.#parts = this.#areas + this.#areaCount
    this.count = this.#parts + words.providers.length * this.#areaCount
  }

  place(place: number): number {
    return 1 + place
  }

  zone(zone: number): number {
    return this.#zones + zone
  }

  provider(provider: number): number {
    return this.#providers + provider
  }

  area(area: number): number {
    return this.#areas + area
  }

  providerIn(provider: number, area: number): number {
    return this.#parts + provider * this.#areaCount + area
  }

  listKey(scope: number, os: number, usage: number, kind: number): number {
    return ((kind * this.count + scope) * osNames.length + os) * (usageCount + 1) + usage
  }
}
