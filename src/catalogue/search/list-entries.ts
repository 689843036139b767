import { type IdArray, idArray } from '../columns/dictionary.ts'
import { PriceCodes } from './codes.ts'
import type { OfferGroups } from './groups.ts'
import type { OfferClass } from './list-keys.ts'

/**
 * Groups in the order of their cheapest offer, in one list for each (scope, operating system, purchase option or any, class).
 * A scope is everything, one area, one provider, one provider's part of an area, one place, or one zone. Lists of any
 * purchase option exist only for the scope of everything. Offers of unknown size are in no list.
 */
export interface SortedLists {
  readonly classes: readonly OfferClass[]
  /** The key of each list, ascending (see Scopes.listKey). A Map of the keys would take one more byte for each offer. */
  readonly keys: Float64Array
  /** Entries of list l: [start[l], start[l + 1]); its blocks begin at blocksStart[l]. */
  readonly start: Uint32Array
  readonly group: IdArray
  /** The code of the group's cheapest price in the list: a lower bound, never a price. */
  readonly price: Uint16Array
  /** The codes of the group's largest sizes, and for each block the largest of both. */
  readonly size: Uint16Array
  /**
   * The offers of the list's scope are within [from, to) of the group's slot, counted from the slot's first offer. In
   * a list of any purchase option that is so for each slot.
   */
  readonly from: IdArray
  readonly to: IdArray
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
  readonly #lengths: number[] = []
  #count = 0
  /** List, price code, group, from and to of each entry. */
  #fields = new Uint32Array(2 ** 16)

  /** Groups must be added in ascending order. */
  add(key: number, group: number, price: number, from: number, to: number): void {
    let list = this.#byKey.get(key)
    if (list === undefined) {
      list = this.#byKey.size
      this.#byKey.set(key, list)
      this.#lengths.push(0)
    }
    this.#lengths[list]!++
    const at = this.#count++ * fieldCount
    if (at + fieldCount > this.#fields.length) this.#grow()
    const fields = this.#fields
    fields[at] = list
    fields[at + 1] = this.#priceCodes.codeOf(price)
    fields[at + 2] = group
    fields[at + 3] = from
    fields[at + 4] = to
  }

  ordered(groups: OfferGroups): Omit<SortedLists, 'zoneless' | 'classes'> {
    const byKey = [...this.#byKey].sort(([a], [b]) => a - b)
    const keys = Float64Array.from(byKey, ([key]) => key)
    const start = new Uint32Array(keys.length + 1)
    const blocksStart = new Uint32Array(keys.length + 1)
    const next = new Uint32Array(keys.length)
    for (const [l, [, list]] of byKey.entries()) {
      const length = this.#lengths[list]!
      next[list] = start[l]!
      start[l + 1] = start[l]! + length
      blocksStart[l + 1] = blocksStart[l]! + ((length + blockLength - 1) >> blockShift)
    }
    return { keys, start, blocksStart, ...this.#sorted(groups, start, blocksStart, next) }
  }

  /** Sorts the entries of each list by price code and group; next is where the first entry of each list goes. */
  #sorted(groups: OfferGroups, start: Uint32Array, blocksStart: Uint32Array, next: Uint32Array) {
    const fields = this.#fields
    const order = new Float64Array(this.#count)
    let longest = 0
    for (let e = 0; e < this.#count; e++) {
      const at = e * fieldCount
      order[next[fields[at]!]!++] = fields[at + 1]! * maxEntries + e
      longest = Math.max(longest, fields[at + 4]!)
    }
    const group = idArray(order.length, groups.count)
    const price = new Uint16Array(order.length)
    const size = new Uint16Array(order.length)
    const from = idArray(order.length, longest + 1)
    const to = idArray(order.length, longest + 1)
    const blockSize = new Uint16Array(blocksStart.at(-1)!)
    for (let l = 0; l + 1 < start.length; l++) {
      order.subarray(start[l]!, start[l + 1]!).sort()
      for (let i = start[l]!; i < start[l + 1]!; i++) {
        const at = (order[i]! % maxEntries) * fieldCount
        price[i] = fields[at + 1]!
        group[i] = fields[at + 2]!
        from[i] = fields[at + 3]!
        to[i] = fields[at + 4]!
        size[i] = groups.size(group[i]!)
        const block = blocksStart[l]! + ((i - start[l]!) >> blockShift)
        blockSize[block] = largerOfBoth(blockSize[block]!, size[i]!)
      }
    }
    return { group, price, size, from, to, blockSize }
  }

  #grow(): void {
    const larger = new Uint32Array(this.#fields.length * 2)
    larger.set(this.#fields)
    this.#fields = larger
  }
}

const fieldCount = 5

const largerOfBoth = (a: number, b: number): number =>
  Math.max(a & 0xff00, b & 0xff00) | Math.max(a & 0xff, b & 0xff)

/**
 * A price code has 16 bits and the index of an entry 37, which together are the 53 bits of a number. Such numbers sort by
 * price code and, as entries are added in the order of groups, by group.
 */
const maxEntries = 2 ** 37
