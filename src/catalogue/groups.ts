import { type Columns, usageCount } from './columns.ts'
import { roundedUp } from './single.ts'

/** What search reads of a group before it looks into it. */
export class Groups {
  readonly count: number
  /** The largest vCPUs and GiB of group g's offers at [g * 2] and [g * 2 + 1], rounded up; -1 where none is known. */
  readonly sizes: Float32Array
  /** Bit a is set where an offer has architecture a. */
  readonly architectures: Uint8Array

  constructor({ cellsStart, offersStart, offers, machines, groupOs }: Columns) {
    this.count = groupOs.length
    this.sizes = new Float32Array(this.count * 2).fill(-1)
    this.architectures = new Uint8Array(this.count)
    for (let g = 0; g < this.count; g++) {
      const to = offersStart[cellsStart[(g + 1) * usageCount]!]!
      let last = -1
      for (let i = offersStart[cellsStart[g * usageCount]!]!; i < to; i++) {
        const m = offers.machine(i)
        if (m === last) continue
        last = m
        this.sizes[g * 2] = Math.max(this.sizes[g * 2]!, roundedUp(machines.vcpus(m)))
        this.sizes[g * 2 + 1] = Math.max(this.sizes[g * 2 + 1]!, roundedUp(machines.ramGib(m)))
        this.architectures[g]! |= 1 << machines.architecture(m)
      }
    }
  }

  get byteLength(): number {
    return this.sizes.byteLength + this.architectures.byteLength
  }

  maxVcpus(g: number): number {
    return this.sizes[g * 2]!
  }

  maxRamGib(g: number): number {
    return this.sizes[g * 2 + 1]!
  }
}
