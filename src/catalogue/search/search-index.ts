import { isReservation, type KnownZone, type Term } from '../../domain/offer.ts'
import { type OfferColumns, optionCount, termNames } from '../columns/columns.ts'
import { type Vocabulary, vocabularyOf, ZoneRegions } from '../names/vocabulary.ts'
import type { CatalogueRules } from '../rules.ts'
import { OfferGroups } from './groups.ts'
import type { SortedLists } from './list-entries.ts'
import { Areas, Classes, GroupTraits, Scopes } from './list-keys.ts'
import { SearchCache } from './search-cache.ts'
import { buildSortedLists } from './sorted-lists.ts'

/** The columns and everything else that search needs. */
export interface SearchIndex {
  readonly columns: OfferColumns
  readonly groups: OfferGroups
  readonly words: Vocabulary
  readonly traits: GroupTraits
  readonly areas: Areas
  readonly scopes: Scopes
  readonly lists: SortedLists
  readonly classes: Classes
  /** By label: 1 if its zone is a local one. */
  readonly localLabels: Uint8Array
  /** By group, if there are any: for each place whether its type, or a reservation of it, cannot be bought there. */
  readonly unsold: ReadonlyMap<number, Uint8Array>
  /** By place: 1 if one of its zones is a local one. */
  readonly localPlaces: Uint8Array
  readonly zonePlaces: ZoneRegions
  readonly known: SearchCache
}

/** Builds the index. Sorted lists that are passed in are not built again. */
export function buildSearchIndex(
  columns: OfferColumns,
  zones: readonly KnownZone[],
  rules: CatalogueRules,
  lists?: SortedLists,
): SearchIndex {
  const { isLocalZone = () => false, isZoneInRegion = () => false } = rules
  const words = vocabularyOf(columns)
  const traits = new GroupTraits(columns, words, rules)
  const groups = new OfferGroups(columns, traits)
  const areas = new Areas(columns, rules)
  const scopes = new Scopes(columns, words, areas)
  const all = lists ?? buildSortedLists(columns, groups, { words, traits, areas, scopes })
  const classes = new Classes(all.classes)
  const localLabels = Uint8Array.from(columns.labels.zone, (id, label) => {
    const zone = columns.zones[id]!
    const { provider } = columns.places[columns.labels.place[label]!]!
    return zone !== '' && isLocalZone(provider, zone) ? 1 : 0
  })
  const localPlaces = new Uint8Array(columns.places.length)
  for (const [label, isLocal] of localLabels.entries()) localPlaces[columns.labels.place[label]!]! |= isLocal
  return {
    columns,
    groups,
    words,
    traits,
    areas,
    scopes,
    lists: all,
    classes,
    localLabels,
    localPlaces,
    unsold: unsoldPlaces(columns, rules),
    zonePlaces: new ZoneRegions(columns, words, zones, isZoneInRegion),
    known: new SearchCache(columns, groups, areas),
  }
}

export function buildListsOf(columns: OfferColumns, rules: CatalogueRules): SortedLists {
  const words = vocabularyOf(columns)
  const traits = new GroupTraits(columns, words, rules)
  const areas = new Areas(columns, rules)
  const scopes = new Scopes(columns, words, areas)
  return buildSortedLists(columns, new OfferGroups(columns, traits), { words, traits, areas, scopes })
}

/** Returns the index of columns that differ from the indexed ones in prices, labels and machines, and in the order of offers within slots. */
export function indexAdjusted(base: SearchIndex, columns: OfferColumns, lists: SortedLists): SearchIndex {
  const groups = new OfferGroups(columns, base.traits)
  const localZones = new Map(
    Array.from(base.columns.labels.zone, (zone, label) => [
      `${zone} ${base.columns.labels.place[label]}`,
      base.localLabels[label]!,
    ]),
  )
  return {
    ...base,
    columns,
    groups,
    lists,
    classes: new Classes(lists.classes),
    localLabels: Uint8Array.from(
      columns.labels.zone,
      (zone, label) => localZones.get(`${zone} ${columns.labels.place[label]}`)!,
    ),
    known: new SearchCache(columns, groups, base.areas),
  }
}

const notSold = 1
const notReservable = 2

/** Whether an offer cannot be bought, by the mark of its place. */
export const isUnsold = (columns: OfferColumns, mark: number, offer: number): boolean =>
  mark === notSold || (mark === notReservable && isReservation(termOf(columns, offer)))

const termOf = ({ labels, offers }: OfferColumns, offer: number): Term =>
  termNames[labels.term[offers.label[offer]!]!]!

function unsoldPlaces(
  columns: OfferColumns,
  { isSoldIn = () => true, isReservable = () => true }: CatalogueRules,
): Map<number, Uint8Array> {
  const unsold = new Map<number, Uint8Array>()
  const { groupType, slotStart, offers, places, types } = columns
  for (let g = 0; g < groupType.length; g++) {
    const seen = new Set(offers.place.subarray(slotStart[g * optionCount], slotStart[(g + 1) * optionCount]))
    for (const place of seen) {
      const { provider, region } = places[place]!
      const type = types[groupType[g]!]!
      const mark = !isSoldIn(provider, type, region)
        ? notSold
        : isReservable(provider, type)
          ? 0
          : notReservable
      if (mark !== 0) unsold.getOrInsertComputed(g, () => new Uint8Array(places.length))[place] = mark
    }
  }
  return unsold
}
