import type { SearchSource } from './best-offers.ts'
import { architecturesWord, groupWords } from './groups.ts'
import { blockLength, blockShift } from './sorted-list.ts'

/** Walks one list by price, past groups that cannot hold what is asked for, whole blocks of them at once. */
export class ListCursor {
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
