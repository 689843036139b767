import type { Source } from './best-offers.ts'
import { blockLength, blockShift } from './lists.ts'

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
    const { filter, structure } = this.source
    const { vcpus, ramGib, architectures, typeMarks } = filter
    const { group: groups, bound, blockMaxVcpus, blockMaxRamGib } = structure.lists
    const { sizes, architectures: groupArchitectures } = structure.groups
    const { round, rounds } = structure.seen
    const end = this.#end
    let i = this.#next
    while (i < end) {
      const passed = i - this.#start
      if ((passed & (blockLength - 1)) === 0) {
        const block = this.#blocksStart + (passed >> blockShift)
        if (blockMaxVcpus[block]! < vcpus || blockMaxRamGib[block]! < ramGib) {
          i += blockLength
          continue
        }
      }
      const group = groups[i++]!
      if (
        sizes[group * 2]! >= vcpus &&
        sizes[group * 2 + 1]! >= ramGib &&
        (groupArchitectures[group]! & architectures) !== 0 &&
        rounds[group] !== round &&
        (typeMarks === undefined || typeMarks[structure.columns.groupType[group]!] === 1)
      ) {
        this.#next = i
        this.group = group
        this.bound = bound[i - 1]!
        return this.bound < filter.belowPerHourUsd
      }
    }
    return false
  }
}
