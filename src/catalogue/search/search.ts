import type { FoundPositions, FoundType, Need } from '../../domain/need.ts'
import type { SearchSource } from './best-offers.ts'
import { buildFilter } from './filter.ts'
import { architecturesWord, groupWords } from './groups.ts'
import { blockLength, blockShift } from './list-entries.ts'
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

/** Walks one list by price, past groups that cannot hold what is asked for, whole blocks of them at once. */
class ListCursor {
  readonly source: SearchSource
  /** The group it stands on, and the code of its cheapest price in the list. */
  group = -1
  priceCode = 0
  readonly #start: number
  readonly #end: number
  readonly #blocksStart: number
  #next: number

  constructor(source: SearchSource, list: number) {
    this.source = source
    const { lists } = source.searchIndex
    this.#start = lists.start[list]!
    this.#end = lists.start[list + 1]!
    this.#blocksStart = lists.blocksStart[list]!
    this.#next = this.#start
  }

  /** False at the end of what can be of use. */
  advance(): boolean {
    const { filter, searchIndex } = this.source
    const { vcpuCode, ramCode } = filter
    const { size, blockSize } = searchIndex.lists
    const [start, end] = [this.#start, this.#end]
    let i = this.#next
    while (i < end) {
      const block = (i - start) >> blockShift
      const blockStart = start + (block << blockShift)
      const blockEnd = Math.min(end, blockStart + blockLength)
      if (i === blockStart) {
        const largest = blockSize[this.#blocksStart + block]!
        if (largest >> 8 < vcpuCode || (largest & 0xff) < ramCode) {
          i = blockEnd
          continue
        }
      }
      for (; i < blockEnd; i++) {
        const own = size[i]!
        if (own >> 8 < vcpuCode || (own & 0xff) < ramCode || !this.#stopAt(i)) continue
        this.#next = i + 1
        return this.priceCode <= filter.belowCode
      }
    }
    return false
  }

  #stopAt(entry: number): boolean {
    const { filter, searchIndex } = this.source
    const { group: groups, price } = searchIndex.lists
    const { words } = searchIndex.groups
    const group = groups[entry]!
    const at = group * groupWords
    if ((words[at + architecturesWord]! & filter.architectures) === 0) return false
    this.group = group
    this.priceCode = price[entry]!
    return true
  }
}
