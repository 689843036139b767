import { type IdArray, idArray } from '../columns/dictionary.ts'
import { PriceCodes } from './codes.ts'
import type { OfferGroups } from './groups.ts'
import type { ClassRow } from './list-keys.ts'

/**
 * Groups in the order of their cheapest offer, in one list for each (scope, operating system, purchase option or any, class).
 * A scope is everything, one area, one provider, one provider's part of an area, one place, or one zone. Lists of any
 * purchase option exist only for the scope of everything. Offers of unknown size are in no list.
 */
export interface SortedLists {
  readonly classes: readonly ClassRow[]
  /** The key of each list, ascending (see Scopes.listKey). A Map of the keys would take one more byte for each offer. */
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
  /** By place: bit o is set if it has an offer of purchase option o that is in no zone. */
  readonly zoneless: Uint8Array
}

/** Entries are grouped into blocks, and the largest sizes of each block are kept, so that search can skip whole blocks. */
export const blockShift = 6
export const blockLength = 1 << blockShift

/** Collects the entries of all lists, which are sorted at the end. */
export class ListEntries {
  readonly #priceCodes = new PriceCodes()
  readonly #byKey = new Map<number, number>()
  readonly lengths: number[] = []
  readonly lists: number[] = []
  /** Price code and group in one number that sorts by both. */
  readonly values: number[] = []

  add(key: number, group: number, price: number): void {
    let list = this.#byKey.get(key)
    if (list === undefined) {
      list = this.#byKey.size
      this.#byKey.set(key, list)
      this.lengths.push(0)
    }
    this.lengths[list]!++
    this.lists.push(list)
    this.values.push(this.#priceCodes.codeOf(price) * maxGroups + group)
  }

  ordered(groups: OfferGroups): Omit<SortedLists, 'zoneless' | 'classes'> {
    const { lengths, lists, values } = this
    const byKey = [...this.#byKey].sort(([a], [b]) => a - b)
    const keys = Float64Array.from(byKey, ([key]) => key)
    const start = new Uint32Array(keys.length + 1)
    const blocksStart = new Uint32Array(keys.length + 1)
    const next = new Uint32Array(keys.length)
    for (const [l, [, list]] of byKey.entries()) {
      next[list] = start[l]!
      start[l + 1] = start[l]! + lengths[list]!
      blocksStart[l + 1] = blocksStart[l]! + ((lengths[list]! + blockLength - 1) >> blockShift)
    }
    const order = new Float64Array(values.length)
    for (let e = 0; e < values.length; e++) order[next[lists[e]!]!++] = values[e]!
    const group = idArray(order.length, groups.count)
    const price = new Uint16Array(order.length)
    const size = new Uint16Array(order.length)
    const blockSize = new Uint16Array(blocksStart.at(-1)!)
    for (let l = 0; l < keys.length; l++) {
      order.subarray(start[l]!, start[l + 1]!).sort()
      for (let i = start[l]!; i < start[l + 1]!; i++) {
        const g = order[i]! % maxGroups
        group[i] = g
        price[i] = Math.floor(order[i]! / maxGroups)
        size[i] = groups.size(g)
        const block = blocksStart[l]! + ((i - start[l]!) >> blockShift)
        blockSize[block] = largerOfBoth(blockSize[block]!, size[i]!)
      }
    }
    return { keys, start, group, price, size, blocksStart, blockSize }
  }
}

const largerOfBoth = (a: number, b: number): number =>
  Math.max(a & 0xff00, b & 0xff00) | Math.max(a & 0xff, b & 0xff)

/** A price code has 16 bits and a group 37, which together are the 53 bits of a number. */
const maxGroups = 2 ** 37
