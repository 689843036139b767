import type { SearchSource } from './best-offers.ts'
import { isEveryUsage, isLargeEnough, type SearchFilter } from './filter.ts'
import type { SortedLists } from './list-entries.ts'
import { anyUsage, everywhere } from './list-keys.ts'
import { groupOfType } from './lookup.ts'
import type { SearchIndex } from './search-index.ts'

/** Up to this many lists are merged; beyond, the list of everything is walked and places sifted. */
const fewLists = 12
/** A provider's places in up to so many areas are found by the lists of these; in more, by the list of the whole provider. */
const fewAreas = 3
/** A list of a provider's part of an area stands for so many lists of places, though others have to be sifted. */
const placesPerPart = 3

/** The groups of the types that a filter names. */
export function directGroups({ searchIndex, filter }: SearchSource): number[] | undefined {
  const { groups } = searchIndex
  if (filter.types === undefined) return undefined
  const found: number[] = []
  for (const type of filter.types) {
    const group = groupOfType(searchIndex, type, filter.os)
    if (group >= 0 && isLargeEnough(groups.size(group), filter)) found.push(group)
  }
  return found
}

/** The lists which together hold every group that can pass. */
export function listsFor({ searchIndex, filter }: SearchSource): number[] {
  return zoneLists(searchIndex, filter) ?? scopeLists(searchIndex, filter)
}

function scopeLists(searchIndex: SearchIndex, filter: SearchFilter): number[] {
  const { scopes } = searchIndex
  const { usages } = filter
  if (filter.area > 0) return listsIn(searchIndex, [scopes.area(filter.area)], usages, filter)
  const few = filter.places && fewScopes(searchIndex, filter.places, usages.length)
  if (few !== undefined) return listsIn(searchIndex, few, usages, filter)
  return listsIn(searchIndex, [everywhere], isEveryUsage(usages) ? [anyUsage] : usages, filter)
}

/** Undefined where they would be too many. */
function fewScopes(
  searchIndex: SearchIndex,
  places: readonly number[],
  usages: number,
): number[] | undefined {
  const areFew = places.length * usages <= fewLists
  if (!areFew || places.length >= placesPerPart) {
    const larger = providerScopes(searchIndex, places)
    const isWorthIt = !areFew || larger.length * placesPerPart <= places.length
    if (isWorthIt && larger.length * usages <= fewLists) return larger
  }
  return areFew ? places.map((place) => searchIndex.scopes.place(place)) : undefined
}

/** The providers that have these places, or their parts of areas. */
function providerScopes({ words, areas, scopes }: SearchIndex, places: readonly number[]): number[] {
  const areasOf = new Map<number, Set<number>>()
  for (const place of places)
    areasOf.getOrInsertComputed(words.placeProvider[place]!, () => new Set()).add(areas.ofPlace[place]!)
  return [...areasOf].flatMap(([provider, within]) =>
    within.size > fewAreas
      ? [scopes.provider(provider)]
      : [...within].map((area) => scopes.providerIn(provider, area)),
  )
}

function listsIn(
  { lists, scopes }: SearchIndex,
  within: readonly number[],
  usages: readonly number[],
  { os, classes }: SearchFilter,
): number[] {
  const found: number[] = []
  for (const scope of within)
    for (const usage of usages)
      for (const kind of classes) {
        const list = findList(lists, scopes.listKey(scope, os, usage, kind))
        if (list >= 0) found.push(list)
      }
  return found
}

/**
 * Where zones are named, an offer that passes lies in one of them, or in their place and in no zone. A place's own list would
 * lead to every group that is cheap in some other zone.
 */
function zoneLists(searchIndex: SearchIndex, filter: SearchFilter): number[] | undefined {
  const { lists, scopes } = searchIndex
  const { zones, places, usages } = filter
  if (zones === undefined || places === undefined) return undefined
  if ((zones.length + places.length) * usages.length > fewLists) return undefined
  return usages.flatMap((usage) => {
    const zoneless = places.filter((place) => ((lists.zoneless[place]! >> usage) & 1) === 1)
    const named = [...zones.map((zone) => scopes.zone(zone)), ...zoneless.map((place) => scopes.place(place))]
    return listsIn(searchIndex, named, [usage], filter)
  })
}

/** The list of a key; -1 where there is none. */
function findList({ keys }: SortedLists, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return keys[low] === key ? low : -1
}
