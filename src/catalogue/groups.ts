import { type Columns, usageCount } from './columns.ts'
import { type Ids, idArray } from './narrow.ts'

/** What search reads of a group at every step, worked out once. */
export interface Groups {
  readonly count: number
  /** Largest known size among the group's offers; -1 where none is known. */
  readonly maxVcpus: Float64Array
  readonly maxRamGib: Float64Array
  /** Bit a is set where an offer has architecture a. */
  readonly architectures: Uint8Array
  /** Cells of a group and usage type by price of their first offer, as distances from the first cell of the group and usage type. */
  readonly cellsByPrice: Ids
}

export function groupsOf(columns: Columns): Groups {
  const { cellsStart, offersStart, machine, machines } = columns
  const count = columns.groupOs.length
  const maxVcpus = new Float64Array(count).fill(-1)
  const maxRamGib = new Float64Array(count).fill(-1)
  const architectures = new Uint8Array(count)
  for (let g = 0; g < count; g++) {
    const from = offersStart[cellsStart[g * usageCount]!]!
    const to = offersStart[cellsStart[(g + 1) * usageCount]!]!
    let last = -1
    for (let i = from; i < to; i++) {
      const m = machine[i]!
      if (m === last) continue
      last = m
      if (machines.vcpus[m]! > maxVcpus[g]!) maxVcpus[g] = machines.vcpus[m]!
      if (machines.ramGib[m]! > maxRamGib[g]!) maxRamGib[g] = machines.ramGib[m]!
      architectures[g]! |= 1 << machines.architecture[m]!
    }
  }
  return { count, maxVcpus, maxRamGib, architectures, cellsByPrice: byPrice(columns) }
}

function byPrice({ cellsStart, offersStart, price, cellPlace, places }: Columns): Ids {
  const order = idArray(cellPlace.length, places.length)
  for (let s = 0; s + 1 < cellsStart.length; s++) {
    const from = cellsStart[s]!
    const slice = order.subarray(from, cellsStart[s + 1]!)
    for (let i = 0; i < slice.length; i++) slice[i] = i
    slice.sort((a, b) => price[offersStart[from + a]!]! - price[offersStart[from + b]!]! || a - b)
  }
  return order
}
