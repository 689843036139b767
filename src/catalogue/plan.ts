import type { Source } from './best-offers.ts'
import { type Filter, isEveryUsage, isLargeEnough } from './filter.ts'
import { anyUsage, everywhere, listKey, scopeOfPlace, scopeOfProvider, scopeOfZone } from './lists.ts'
import { groupOfType, type Structure } from './structure.ts'

/** Up to this many lists of places are merged; beyond, the lists of their providers are walked and places sifted. */
const fewPlaceLists = 12
const fewProviderLists = 6

/** The groups of the types that a filter names, where they are few. */
export function directGroups({ structure, filter }: Source): number[] | undefined {
  const { columns, words, groups } = structure
  if (filter.fewTypes === undefined) return undefined
  const found: number[] = []
  for (const type of filter.fewTypes) {
    const group = groupOfType(columns, words, type, filter.os)
    if (group >= 0 && isLargeEnough(groups.size(group), filter)) found.push(group)
  }
  return found
}

/** The lists which together hold every group that can pass. */
export function listsFor({ structure, filter }: Source): number[] {
  return zoneLists(structure, filter) ?? scopeLists(structure, filter)
}

function scopeLists({ lists, words }: Structure, filter: Filter): number[] {
  const usages = isEveryUsage(filter.usages) ? [anyUsage] : filter.usages
  const found: number[] = []
  for (const scope of scopesFor(filter, usages.length, words))
    for (const usage of usages) {
      const list = lists.byKey.get(listKey(words, scope, filter.os, usage, filter.gpu))
      if (list !== undefined) found.push(list)
    }
  return found
}

/**
 * Where zones are named, an offer that passes lies in one of them, or in their place and in no zone. A place's own list would
 * lead to every group that is cheap in some other zone.
 */
function zoneLists({ lists, words }: Structure, filter: Filter): number[] | undefined {
  const { zones, places, usages, os, gpu } = filter
  if (zones === undefined || places === undefined) return undefined
  if ((zones.length + places.length) * usages.length > fewPlaceLists) return undefined
  const found: number[] = []
  for (const usage of usages) {
    const zoneless = places.filter((place) => ((lists.zoneless[place]! >> usage) & 1) === 1)
    const scopes = [
      ...zones.map((zone) => scopeOfZone(words, zone)),
      ...zoneless.map((place) => scopeOfPlace(words, place)),
    ]
    for (const scope of scopes) {
      const list = lists.byKey.get(listKey(words, scope, os, usage, gpu))
      if (list !== undefined) found.push(list)
    }
  }
  return found
}

function scopesFor({ places }: Filter, usages: number, words: Structure['words']): number[] {
  if (places === undefined) return [everywhere]
  if (places.length * usages <= fewPlaceLists) return places.map((place) => scopeOfPlace(words, place))
  const providers = [...new Set(places.map((place) => words.placeProvider[place]!))]
  return providers.length * usages <= fewProviderLists ? providers.map(scopeOfProvider) : [everywhere]
}
