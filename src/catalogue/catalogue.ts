import { ordinaryTraits, type TypeTraits } from '../domain/comparability.ts'
import type { FoundPositions, FoundType, Need } from '../domain/need.ts'
import type { KnownZone, Offer } from '../domain/offer.ts'
import { buildOfferColumns } from './columns/build-columns.ts'
import { groupOf, type OfferColumns, slotOf } from './columns/columns.ts'
import { OfferView, offersIn } from './columns/offer-view.ts'
import { namesHolding } from './names/suggest.ts'
import type { CatalogueRules } from './rules.ts'
import { buildFacets, type ProviderFacets } from './search/facets.ts'
import type { SortedLists } from './search/list-entries.ts'
import {
  type FamilyGroups,
  type FamilyQuery,
  familyGroups,
  familyOffers,
  findOffers,
  type OffersQuery,
} from './search/lookup.ts'
import { OfferSearch } from './search/search.ts'
import { buildSearchIndex, type SearchIndex } from './search/search-index.ts'
import type { Snapshot } from './snapshot/snapshot.ts'

interface CatalogueOptions extends CatalogueRules {
  /** Identifies the content, for ETags. */
  readonly id: string
  /** Zones that are known to exist, in addition to those that offers name. */
  readonly zones?: readonly KnownZone[]
  readonly prepared?: PreparedIndex
  /** Built already, for these columns. */
  readonly searchIndex?: SearchIndex
}

interface PreparedIndex {
  readonly lists: SortedLists
  readonly facets: readonly ProviderFacets[]
  readonly families: FamilyGroups
}

export class Catalogue {
  readonly id: string
  readonly zones: readonly KnownZone[]
  readonly columns: OfferColumns
  readonly searchIndex: SearchIndex
  readonly offerSearch = new OfferSearch()
  readonly rules: Required<Pick<CatalogueRules, 'areaOf' | 'isReservable' | 'traitsOf'>>
  readonly #facets: readonly ProviderFacets[]
  readonly #families: FamilyGroups

  constructor(columns: OfferColumns, options: CatalogueOptions) {
    this.id = options.id
    this.zones = options.zones ?? []
    this.columns = columns
    const { prepared } = options
    this.rules = {
      areaOf: options.areaOf ?? (() => ''),
      isReservable: options.isReservable ?? (() => true),
      traitsOf: options.traitsOf ?? (() => ordinaryTraits),
    }
    this.searchIndex = options.searchIndex ?? buildSearchIndex(columns, this.zones, options, prepared?.lists)
    this.#facets = prepared?.facets ?? buildFacets(this.searchIndex, this.zones)
    this.#families = prepared?.families ?? familyGroups(this.searchIndex)
  }

  static from(offers: Iterable<Offer>, options: CatalogueOptions): Catalogue {
    return new Catalogue(buildOfferColumns(offers), options)
  }

  /** Builds a catalogue from a file: `Catalogue.fromSnapshot(decodeSnapshot(bytes), rules)`. */
  static fromSnapshot({ columns, id, zones }: Snapshot, rules: CatalogueRules): Catalogue {
    return new Catalogue(columns, { ...rules, id, zones })
  }

  prepared(): PreparedIndex {
    return { lists: this.searchIndex.lists, facets: this.#facets, families: this.#families }
  }

  get offerCount(): number {
    return this.columns.count
  }

  /** Returns the offer at a position. The order of positions means nothing to callers. */
  offer(position: number): OfferView {
    return new OfferView(this.columns, position, slotOf(this.columns, position))
  }

  offers(): Generator<Offer> {
    return offersIn(this.columns)
  }

  /** The traits computed for search if the offer is from this catalogue, else those of the rules. */
  traitsOf({ position, provider, instanceType }: Offer): TypeTraits {
    const { columns, searchIndex } = this
    const { groupType, offers, places, types } = columns
    if (position !== undefined && position < columns.count) {
      const group = groupOf(slotOf(columns, position))
      const place = offers.place[position]!
      if (types[groupType[group]!] === instanceType && places[place]!.provider === provider)
        return searchIndex.traits.traitsOf(group, searchIndex.words.placeProvider[place]!)
    }
    return this.rules.traitsOf(provider, instanceType)
  }

  search(need: Need): FoundType[] {
    return searchAll([this], need)
  }

  offersOf(query: OffersQuery): OfferView[] {
    return findOffers(this.searchIndex, query)
  }

  familyOffers(query: FamilyQuery): OfferView[] {
    return familyOffers(this.searchIndex, this.#families, query)
  }

  facets(): readonly ProviderFacets[] {
    return this.#facets
  }

  typesOf(provider: string): readonly string[] {
    return this.#facetsOf(provider)?.types ?? []
  }

  regionsOf(provider: string): readonly string[] {
    return this.#facetsOf(provider)?.regions ?? []
  }

  hasRegion(name: string): boolean {
    return this.searchIndex.words.placesByRegion.has(name)
  }

  hasRegionIn(area: string, provider: string): boolean {
    const { areas, words } = this.searchIndex
    return areas.holdsAny(area, words.placesByProvider.idsOf(provider))
  }

  typesHolding(text: string, count: number, provider?: string): string[] {
    return namesHolding(text, provider === undefined ? this.columns.types : this.typesOf(provider), count)
  }

  #facetsOf(provider: string): ProviderFacets | undefined {
    const name = provider.toLowerCase()
    return this.#facets.find((f) => f.provider.toLowerCase() === name)
  }
}

/** Searches several catalogues as if all offers were in one: types of the same name are one type. */
export function searchAll(catalogues: readonly Catalogue[], need: Need): FoundType[] {
  return offerSearchOf(catalogues).types(catalogues.map(searchIndexIn), need)
}

/** Like searchAll, but returns positions in the catalogues, which are valid until the next search. */
export function searchAllPositions(catalogues: readonly Catalogue[], need: Need): FoundPositions {
  return offerSearchOf(catalogues).positions(catalogues.map(searchIndexIn), need)
}

const offerSearchOf = ([first]: readonly Catalogue[]): OfferSearch => first?.offerSearch ?? new OfferSearch()

const searchIndexIn = ({ searchIndex }: Catalogue): SearchIndex => searchIndex

/** A new catalogue replaces the served one in one step; a request that already uses the old one finishes with it. */
export class CatalogueHolder {
  #current: Catalogue

  constructor(first: Catalogue) {
    this.#current = first
  }

  /** An arrow function, so that it can be passed on without the holder. */
  readonly current = (): Catalogue => this.#current

  swap(next: Catalogue): void {
    this.#current = next
  }
}
