import { type Columns, usageCount } from './columns.ts'
import { bitsRoundedDown } from './single.ts'
import { SizeCodes } from './size-codes.ts'

/**
 * What search reads of a group, one cache line each:
 *
 *   0            4            8            12      16     20              24      28         40        64
 *   | cells of usage 0 | of usage 1 | of usage 2 | end | type | architectures | round | bounds x3 | spare |
 *
 * Architectures: bit a is set where an offer has architecture a. Round: see begin(). Bounds: single-precision numbers
 * that no price of the usage type is below; Infinity where it has none.
 */
export class Groups {
  readonly count: number
  readonly words: Uint32Array
  readonly bounds: Float32Array
  /** The largest vCPUs and GiB among a group's offers, as codes: vCPUs x 256 + GiB; 0 where none is known. */
  readonly sizes: Uint16Array
  readonly vcpuCodes: SizeCodes
  readonly ramCodes: SizeCodes
  #round = 0

  constructor(columns: Columns) {
    const { cellsStart, offersStart, offers, machines, groupOs, groupType } = columns
    this.count = groupOs.length
    this.words = new Uint32Array(this.count * groupWords)
    this.bounds = new Float32Array(this.words.buffer)
    this.sizes = new Uint16Array(this.count)
    const all = Array.from({ length: machines.count }, (_, m) => m).filter((m) => machines.isSized(m))
    this.vcpuCodes = new SizeCodes(all.map((m) => machines.vcpus(m)))
    this.ramCodes = new SizeCodes(all.map((m) => machines.ramGib(m)))
    for (let g = 0; g < this.count; g++) {
      const at = g * groupWords
      this.words[at + typeWord] = groupType[g]!
      for (let u = 0; u <= usageCount; u++) this.words[at + u] = cellsStart[g * usageCount + u]!
      for (let u = 0; u < usageCount; u++) {
        const isEmpty = this.words[at + u] === this.words[at + u + 1]
        const cheapest = isEmpty ? Infinity : offers.price(offersStart[this.words[at + u]!]!)
        this.words[at + boundWord + u] = bitsRoundedDown(cheapest)
      }
      this.#lookAtMachines(columns, g)
    }
  }

  /** Forgets, at no cost, which groups a search has dealt with: those whose round is the present one. */
  begin(): number {
    if (this.#round === 0xffff_ffff) {
      for (let g = 0; g < this.count; g++) this.words[g * groupWords + roundWord] = 0
      this.#round = 0
    }
    return ++this.#round
  }

  /** Whether it was not yet dealt with; from now on it is. */
  claim(group: number): boolean {
    if (this.words[group * groupWords + roundWord] === this.#round) return false
    this.words[group * groupWords + roundWord] = this.#round
    return true
  }

  #lookAtMachines({ offersStart, offers, machines }: Columns, group: number): void {
    const at = group * groupWords
    const end = offersStart[this.words[at + usageCount]!]!
    let [last, vcpus, ramGib] = [-1, 0, 0]
    for (let i = offersStart[this.words[at]!]!; i < end; i++) {
      const m = offers.machine(i)
      if (m === last) continue
      last = m
      this.words[at + architecturesWord]! |= 1 << machines.architecture(m)
      if (!machines.isSized(m)) continue
      vcpus = Math.max(vcpus, this.vcpuCodes.of(machines.vcpus(m)))
      ramGib = Math.max(ramGib, this.ramCodes.of(machines.ramGib(m)))
    }
    this.sizes[group] = vcpus * 256 + ramGib
  }
}

export const groupWords = 16
export const typeWord = 4
export const architecturesWord = 5
export const roundWord = 6
export const boundWord = 7
