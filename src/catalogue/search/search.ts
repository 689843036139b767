import { coresPerCore } from '../../domain/comparability.ts'
import type { FoundPositions, FoundType, Need } from '../../domain/need.ts'
import type { SearchSource } from './best-offers.ts'
import { buildFilter, isLargeEnough, type SearchFilter } from './filter.ts'
import { blockLength, blockShift, type SortedLists } from './list-entries.ts'
import { anyOption, everywhere } from './list-keys.ts'
import { groupOfType } from './lookup.ts'
import type { SearchIndex } from './search-index.ts'
import { TopTypes } from './top-types.ts'

/** Searches several catalogues as if they were one, in memory that it reuses. */
export class OfferSearch {
  readonly #topTypes = new TopTypes()

  /** Returns the types with the best offers that pass, best first. */
  types(searchIndexes: readonly SearchIndex[], need: Need): FoundType[] {
    search(searchIndexes, need, this.#topTypes)
    return this.#topTypes.found()
  }

  /**
   * Like types(), but returns positions, which are valid until the next search. A single catalogue is searched through
   * its cache.
   */
  positions(searchIndexes: readonly SearchIndex[], need: Need): FoundPositions {
    const searchUncached = (asked: Need): FoundPositions => {
      search(searchIndexes, asked, this.#topTypes)
      return this.#topTypes.positions()
    }
    return (
      (searchIndexes.length === 1 ? searchIndexes[0]!.known.find(need, searchUncached) : undefined) ??
      searchUncached(need)
    )
  }
}

function search(searchIndexes: readonly SearchIndex[], need: Need, topTypes: TopTypes): void {
  const sources: SearchSource[] = []
  const asksForAny = need.limit > 0 && need.offersPerType > 0
  for (let catalogue = 0; asksForAny && catalogue < searchIndexes.length; catalogue++) {
    const searchIndex = searchIndexes[catalogue]!
    const filter = buildFilter(searchIndex, need)
    if (filter === undefined) continue
    searchIndex.groups.begin()
    sources.push({ index: sources.length, catalogue, searchIndex, filter })
  }
  topTypes.begin(need, sources)
  const cursors: ListCursor[] = []
  for (const source of sources) {
    const direct = directGroups(source)
    if (direct !== undefined) for (const group of direct) topTypes.consider(source, group)
    else {
      const { lists, areOfOneScope } = listsFor(source)
      for (const list of lists) {
        const cursor = new ListCursor(source, list, areOfOneScope)
        if (cursor.advance()) cursors.push(cursor)
      }
    }
  }
  mergeByPrice(cursors, topTypes)
}

/** Returns the groups of the types that a filter names; undefined if it names none. */
function directGroups({ searchIndex, filter }: SearchSource): number[] | undefined {
  const { groups } = searchIndex
  if (filter.types === undefined) return undefined
  const found: number[] = []
  for (const type of filter.types) {
    const group = groupOfType(searchIndex, type, filter.os)
    if (group >= 0 && isLargeEnough(groups.size(group), filter)) found.push(group)
  }
  return found
}

interface ChosenLists {
  readonly lists: readonly number[]
  /** Whether they differ only in the class of their offers. */
  readonly areOfOneScope: boolean
}

/** Returns lists that together contain every group that can pass. */
function listsFor({ searchIndex, filter }: SearchSource): ChosenLists {
  return zoneLists(searchIndex, filter) ?? scopeLists(searchIndex, filter)
}

function scopeLists(searchIndex: SearchIndex, filter: SearchFilter): ChosenLists {
  const { scopes, groups } = searchIndex
  const { options } = filter
  if (filter.area > 0) return listsIn(searchIndex, [scopes.area(filter.area)], options, filter)
  const few = filter.places && fewScopes(searchIndex, filter.places, options.length)
  if (few !== undefined) return listsIn(searchIndex, few, options, filter)
  return listsIn(
    searchIndex,
    [everywhere],
    options.length === groups.options.length ? [anyOption] : options,
    filter,
  )
}

/** Returns scopes that together contain the places; undefined if they would be too many. */
function fewScopes(searchIndex: SearchIndex, places: readonly number[], options: number) {
  const areFew = places.length * options <= fewLists
  if (!areFew || places.length >= placesPerPart) {
    const larger = providerScopes(searchIndex, places)
    const isWorthIt = !areFew || larger.length * placesPerPart <= places.length
    if (isWorthIt && larger.length * options <= fewLists) return larger
  }
  return areFew ? places.map((place) => searchIndex.scopes.place(place)) : undefined
}

/** Returns the scopes of the providers that have these places, or of their parts of areas. */
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
  options: readonly number[],
  { os, classes }: SearchFilter,
): ChosenLists {
  const found: number[] = []
  for (const scope of within)
    for (const option of options)
      for (const kind of classes) {
        const list = findList(lists, scopes.listKey(scope, os, option, kind))
        if (list >= 0) found.push(list)
      }
  return { lists: found, areOfOneScope: within.length * options.length === 1 }
}

/**
 * If zones are named, an offer that passes is in one of them, or in their place without a zone. The list of a place is
 * used only if it has offers without a zone, because it also contains every group that is cheap in another zone.
 */
function zoneLists(searchIndex: SearchIndex, filter: SearchFilter): ChosenLists | undefined {
  const { lists, scopes } = searchIndex
  const { zones, places, options } = filter
  if (zones === undefined || places === undefined) return undefined
  if ((zones.length + places.length) * options.length > fewLists) return undefined
  const chosen = options.map((option) => {
    const zoneless = places.filter((place) => ((lists.zoneless[place]! >> option) & 1) === 1)
    const named = [...zones.map((zone) => scopes.zone(zone)), ...zoneless.map((place) => scopes.place(place))]
    return listsIn(searchIndex, named, [option], filter)
  })
  return chosen.length === 1
    ? chosen[0]
    : { lists: chosen.flatMap((each) => each.lists), areOfOneScope: false }
}

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

/** Up to this many lists are merged. Beyond that, the list of everything is read and other places are skipped. */
const fewLists = 16
/**
 * If a provider's places are in at most this many areas, its lists of these areas are read; else the
 * list of the whole provider.
 */
const fewAreas = 3
/**
 * The list of a provider's part of an area is read instead of at least this many lists of places, although other
 * places must then be skipped.
 */
const placesPerPart = 3

function mergeByPrice(cursors: ListCursor[], topTypes: TopTypes): void {
  while (cursors.length > 0) {
    let next = 0
    for (let i = 1; i < cursors.length; i++) if (cursors[i]!.priceCode < cursors[next]!.priceCode) next = i
    const cursor = cursors[next]!
    if (cursor.priceCode > topTypes.greatestCode) return
    topTypes.consider(cursor.source, cursor.group, cursor.from, cursor.to)
    if (!cursor.advance()) {
      cursors[next] = cursors[cursors.length - 1]!
      cursors.pop()
    }
  }
}

/** Reads one list in order of price. Skips groups that are too small, whole blocks at once. */
class ListCursor {
  readonly source: SearchSource
  /** The current group, and the code of its cheapest price in the list. */
  group = -1
  priceCode = 0
  /** The offers that can pass are within [from, to) of the group's slot. */
  from = 0
  to = Infinity
  /** Whether the list contains every offer of its groups that can pass. */
  readonly #isComplete: boolean
  readonly #start: number
  readonly #end: number
  readonly #blocksStart: number
  #next: number

  constructor(source: SearchSource, list: number, isComplete: boolean) {
    this.source = source
    this.#isComplete = isComplete
    const { lists } = source.searchIndex
    this.#start = lists.start[list]!
    this.#end = lists.start[list + 1]!
    this.#blocksStart = lists.blocksStart[list]!
    this.#next = this.#start
  }

  /** Moves to the next group that may be large enough. Returns false if no such group is left below the price limit. */
  advance(): boolean {
    const { filter, searchIndex } = this.source
    const { vcpuCode, ramCode } = filter
    const { group, price, size, blockSize, from, to } = searchIndex.lists
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
        const entrySize = size[i]!
        if (entrySize >> 8 < vcpuCode || (entrySize & 0xff) < ramCode) continue
        if (!this.#isFastEnough(group[i]!, entrySize)) continue
        this.#next = i + 1
        this.group = group[i]!
        this.priceCode = price[i]!
        if (this.#isComplete) {
          this.from = from[i]!
          this.to = to[i]!
        }
        return this.priceCode <= filter.belowCode
      }
    }
    return false
  }

  /** Whether a group is still large enough if its cores are slower. */
  #isFastEnough(group: number, size: number): boolean {
    const { filter, searchIndex } = this.source
    const { speeds, vcpuCodes } = searchIndex.groups
    if (filter.comparableTo === undefined) return true
    const cores = coresPerCore(filter.comparableTo, speeds[group]!)
    return cores <= 1 || size >> 8 >= vcpuCodes.codeOf(filter.vcpus * cores)
  }
}
