import type { ClassRow } from '../classes.ts'
import type { IdArray } from '../columns/dictionary.ts'

/**
 * Groups in the order of their cheapest offer, one list for each (scope, operating system, usage type or any, class),
 * where a scope is everything, one area, one provider, one provider's part of an area, one place, or one zone. Lists in which
 * every usage type counts are of everything alone. An offer of unknown size is in none.
 */
export interface SortedLists {
  readonly classes: readonly ClassRow[]
  /** The key of each list, ascending (see Scopes.listKey). A Map of them takes a byte of each offer. */
  readonly keys: Float64Array
  /** Entries of list l: [start[l], start[l + 1]); its blocks begin at blocksStart[l]. */
  readonly start: Uint32Array
  readonly group: IdArray
  /** The code of the group's cheapest price in the list: a lower bound, never a price. */
  readonly price: Uint16Array
  /** The codes of the group's largest sizes, and for each block the largest of both. */
  readonly size: Uint16Array
  readonly blocksStart: Uint32Array
  readonly blockSize: Uint16Array
  /** By place: bit u is set where it has an offer of usage type u that is in no zone. */
  readonly zoneless: Uint8Array
}

/** Number of entries in a block; the largest sizes of each block are kept. */
export const blockShift = 6
export const blockLength = 1 << blockShift

/** The list of a key; -1 where there is none. */
export function findList({ keys }: SortedLists, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return keys[low] === key ? low : -1
}
