import type { Source } from './best-offers.ts'
import { blockShift } from './lists.ts'

/** Walks one list by price, past groups that cannot hold what is asked for, whole blocks of them at once. */
export class ListCursor {
  readonly source: Source
  /** The group it stands on, and below which its price cannot be. */
  group = -1
  bound = 0
  readonly #start: number
  readonly #end: number
  readonly #blocksStart: number
  #next: number

  constructor(source: Source, list: number) {
    this.source = source
    const { lists } = source.structure
    this.#start = lists.start[list]!
    this.#end = lists.start[list + 1]!
    this.#blocksStart = lists.blocksStart[list]!
    this.#next = this.#start
  }

  /** False at the end of what can be of use. */
  advance(): boolean {
    const { lists, groups, columns, seen } = this.source.structure
    const { vcpus, ramGib, architectures, typeMarks } = this.source.filter
    let i = this.#next
    while (i < this.#end) {
      const passed = i - this.#start
      if ((passed & ((1 << blockShift) - 1)) === 0) {
        const block = this.#blocksStart + (passed >> blockShift)
        if (lists.blockMaxVcpus[block]! < vcpus || lists.blockMaxRamGib[block]! < ramGib) {
          i += 1 << blockShift
          continue
        }
      }
      const group = lists.group[i++]!
      if (
        groups.maxVcpus[group]! >= vcpus &&
        groups.maxRamGib[group]! >= ramGib &&
        (groups.architectures[group]! & architectures) !== 0 &&
        (typeMarks === undefined || typeMarks[columns.groupType[group]!] === 1) &&
        !seen.has(group)
      ) {
        this.#next = i
        this.group = group
        this.bound = lists.bound[i - 1]!
        return this.bound < this.source.filter.belowPerHourUsd
      }
    }
    return false
  }
}
