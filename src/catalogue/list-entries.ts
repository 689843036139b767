import type { Groups } from './groups.ts'
import { blockLength, blockShift, type Lists } from './lists.ts'
import { idArray } from './narrow.ts'
import { bitsRoundedDown } from './single.ts'

/** Entries of all lists, in no order yet. */
export class Entries {
  readonly byKey = new Map<number, number>()
  readonly lengths: number[] = []
  readonly lists: number[] = []
  /** Bound and group in one number that sorts by bound, then group: the bits of a float from 0 sort as it does. */
  readonly values: number[] = []

  add(key: number, group: number, price: number): void {
    let list = this.byKey.get(key)
    if (list === undefined) {
      list = this.byKey.size
      this.byKey.set(key, list)
      this.lengths.push(0)
    }
    this.lengths[list]!++
    this.lists.push(list)
    this.values.push(bitsRoundedDown(price) * mostGroups + group)
  }

  ordered(groups: Groups): Lists {
    const { byKey, lengths, lists, values } = this
    if (groups.count > mostGroups) throw new RangeError(`more than ${mostGroups} types`)
    const start = new Uint32Array(lengths.length + 1)
    const blocksStart = new Uint32Array(lengths.length + 1)
    for (let l = 0; l < lengths.length; l++) {
      start[l + 1] = start[l]! + lengths[l]!
      blocksStart[l + 1] = blocksStart[l]! + ((lengths[l]! + blockLength - 1) >> blockShift)
    }
    const order = new Float64Array(values.length)
    const next = start.slice()
    for (let e = 0; e < values.length; e++) order[next[lists[e]!]!++] = values[e]!
    const group = idArray(order.length, groups.count)
    const bound = new Float32Array(order.length)
    const boundBits = new Uint32Array(bound.buffer)
    const blockMaxVcpus = new Float32Array(blocksStart.at(-1)!)
    const blockMaxRamGib = new Float32Array(blocksStart.at(-1)!)
    for (let l = 0; l < lengths.length; l++) {
      order.subarray(start[l]!, start[l + 1]!).sort()
      for (let i = start[l]!; i < start[l + 1]!; i++) {
        const g = order[i]! % mostGroups
        const block = blocksStart[l]! + ((i - start[l]!) >> blockShift)
        group[i] = g
        boundBits[i] = Math.floor(order[i]! / mostGroups)
        blockMaxVcpus[block] = Math.max(blockMaxVcpus[block]!, groups.maxVcpus(g))
        blockMaxRamGib[block] = Math.max(blockMaxRamGib[block]!, groups.maxRamGib(g))
      }
    }
    return { byKey, start, group, bound, blocksStart, blockMaxVcpus, blockMaxRamGib }
  }
}

/** 31 bits of a bound and these 22 make the 53 that a number has. */
const mostGroups = 2 ** 22
