import type { SearchSource } from './best-offers.ts'
import { isEveryUsage, isLargeEnough, type SearchFilter } from './filter.ts'
import { groupOfType, type SearchIndex } from './search-index.ts'
import { anyUsage, everywhere, listKey } from './sorted-lists.ts'

/** Up to this many lists are merged; beyond, the list of everything is walked and places sifted. */
const fewLists = 12
/** All parts of one provider, the regions that are not open to everyone included. */
const fewParts = 24
/** A list of a provider's part of an area stands for so many lists of places, though others have to be sifted. */
const placesPerPart = 3

/** The groups of the types that a filter names. */
export function directGroups({ searchIndex, filter }: SearchSource): number[] | undefined {
  const { columns, words, groups } = searchIndex
  if (filter.types === undefined) return undefined
  const found: number[] = []
  for (const type of filter.types) {
    const group = groupOfType(columns, words, type, filter.os)
    if (group >= 0 && isLargeEnough(groups.size(group), filter)) found.push(group)
  }
  return found
}

/** The lists which together hold every group that can pass. */
export function listsFor({ searchIndex, filter }: SearchSource): number[] {
  return zoneLists(searchIndex, filter) ?? scopeLists(searchIndex, filter)
}

function scopeLists(searchIndex: SearchIndex, filter: SearchFilter): number[] {
  const { lists, scopes } = searchIndex
  const { usages } = filter
  if (filter.area > 0) return listsIn(lists, [scopes.area(filter.area)], usages, filter)
  const few = filter.places && fewScopes(searchIndex, filter.places, usages.length)
  if (few !== undefined) return listsIn(lists, few, usages, filter)
  return listsIn(lists, [everywhere], isEveryUsage(usages) ? [anyUsage] : usages, filter)
}

/** Undefined where they would be too many. */
function fewScopes(
  { words, areas, scopes }: SearchIndex,
  places: readonly number[],
  usages: number,
): number[] | undefined {
  const parts = new Set<number>()
  for (const place of places) parts.add(scopes.providerIn(words.placeProvider[place]!, areas.ofPlace[place]!))
  const isWorthIt = parts.size * placesPerPart <= places.length || places.length * usages > fewLists
  if (isWorthIt && parts.size * usages <= fewParts) return [...parts]
  return places.length * usages <= fewLists ? places.map((place) => scopes.place(place)) : undefined
}

function listsIn(
  { byKey }: SearchIndex['lists'],
  scopes: readonly number[],
  usages: readonly number[],
  { os, classes }: SearchFilter,
): number[] {
  const found: number[] = []
  for (const scope of scopes)
    for (const usage of usages)
      for (const kind of classes) {
        const list = byKey.get(listKey(scope, os, usage, kind))
        if (list !== undefined) found.push(list)
      }
  return found
}

/**
 * Where zones are named, an offer that passes lies in one of them, or in their place and in no zone. A place's own list would
 * lead to every group that is cheap in some other zone.
 */
function zoneLists({ lists, scopes }: SearchIndex, filter: SearchFilter): number[] | undefined {
  const { zones, places, usages } = filter
  if (zones === undefined || places === undefined) return undefined
  if ((zones.length + places.length) * usages.length > fewLists) return undefined
  return usages.flatMap((usage) => {
    const zoneless = places.filter((place) => ((lists.zoneless[place]! >> usage) & 1) === 1)
    const named = [...zones.map((zone) => scopes.zone(zone)), ...zoneless.map((place) => scopes.place(place))]
    return listsIn(lists, named, [usage], filter)
  })
}
