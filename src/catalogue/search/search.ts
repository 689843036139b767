import type { FoundPositions, FoundType, Need } from '../../domain/need.ts'
import type { SearchSource } from './best-offers.ts'
import { buildFilter } from './filter.ts'
import { ListCursor } from './list-cursor.ts'
import { directGroups, listsFor } from './plan.ts'
import type { SearchIndex } from './search-index.ts'
import { TopTypes } from './top-types.ts'

/** Searches never wait for anything, so that one is over before the next begins. */
const kept = new TopTypes()

/** The types with the best offers that pass, best first, over several catalogues as if they were one. */
export function searchAllIndexes(searchIndexes: readonly SearchIndex[], need: Need): FoundType[] {
  search(searchIndexes, need)
  return kept.found()
}

/** The same in numbers; of one catalogue, what many needs have in common is searched for once. */
export function searchPositions(searchIndexes: readonly SearchIndex[], need: Need): FoundPositions {
  const searchUncached = (asked: Need): FoundPositions => {
    search(searchIndexes, asked)
    return kept.positions()
  }
  return (
    (searchIndexes.length === 1 ? searchIndexes[0]!.known.find(need, searchUncached) : undefined) ??
    searchUncached(need)
  )
}

function search(searchIndexes: readonly SearchIndex[], need: Need): void {
  const sources: SearchSource[] = []
  const asksForAny = need.limit > 0 && need.offersPerType > 0
  for (let catalogue = 0; asksForAny && catalogue < searchIndexes.length; catalogue++) {
    const searchIndex = searchIndexes[catalogue]!
    const filter = buildFilter(searchIndex, need)
    if (filter === undefined) continue
    searchIndex.groups.begin()
    sources.push({ index: sources.length, catalogue, searchIndex, filter })
  }
  kept.begin(need, sources)
  const cursors: ListCursor[] = []
  for (const source of sources) {
    const direct = directGroups(source)
    if (direct !== undefined) for (const group of direct) kept.consider(source, group)
    else
      for (const list of listsFor(source)) {
        const cursor = new ListCursor(source, list)
        if (cursor.advance()) cursors.push(cursor)
      }
  }
  mergeByPrice(cursors)
}

function mergeByPrice(cursors: ListCursor[]): void {
  while (cursors.length > 0) {
    let next = 0
    for (let i = 1; i < cursors.length; i++) if (cursors[i]!.priceCode < cursors[next]!.priceCode) next = i
    const cursor = cursors[next]!
    if (cursor.priceCode > kept.greatestCode) return
    kept.consider(cursor.source, cursor.group)
    if (!cursor.advance()) {
      cursors[next] = cursors[cursors.length - 1]!
      cursors.pop()
    }
  }
}
