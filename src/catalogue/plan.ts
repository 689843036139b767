import { usageCount } from './columns.ts'
import type { Filter } from './filter.ts'
import { anyUsage, everywhere, listKey, scopeOfPlace, scopeOfProvider } from './lists.ts'
import { groupOfType, type Structure } from './structure.ts'

/** Up to this many types are looked at one by one. */
const fewTypes = 64
/** Up to this many lists of places are merged; beyond, the lists of their providers are walked and places sifted. */
const fewPlaceLists = 12
const fewProviderLists = 6

/** The groups of the types that a filter names, where they are few. */
export function directGroups({ columns, words }: Structure, filter: Filter): number[] | undefined {
  if (filter.types === undefined || filter.types.length > fewTypes) return undefined
  return filter.types
    .map((type) => groupOfType(columns, words, type, filter.os))
    .filter((group) => group >= 0)
}

/** The lists which together hold every group that can pass. */
export function listsFor({ lists, words }: Structure, filter: Filter): number[] {
  const usages = filter.usages.length === usageCount ? [anyUsage] : filter.usages
  const found: number[] = []
  for (const scope of scopesFor(filter, usages.length, words))
    for (const usage of usages) {
      const list = lists.byKey.get(listKey(words, scope, filter.os, usage, filter.gpu))
      if (list !== undefined) found.push(list)
    }
  return found
}

function scopesFor({ places }: Filter, usages: number, words: Structure['words']): number[] {
  if (places === undefined) return [everywhere]
  if (places.length * usages <= fewPlaceLists) return places.map((place) => scopeOfPlace(words, place))
  const providers = [...new Set(places.map((place) => words.placeProvider[place]!))]
  return providers.length * usages <= fewProviderLists ? providers.map(scopeOfProvider) : [everywhere]
}
