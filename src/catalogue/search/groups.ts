import type { Likeness, TypeTraits } from '../../domain/likeness.ts'
import type { Need } from '../../domain/need.ts'
import { architectureNames, type OfferColumns, usageCount } from '../columns/columns.ts'
import type { GroupTraits } from './list-keys.ts'

/**
 * What search reads of a group, one cache line each:
 *
 *   0                                         16     20              24      28          40     44        48      52       56      60
 *   | first offer of usage 0 | 1 | 2 | and end | type | architectures | round | bounds x3 | size | machine | plain | traits | speed | disk |
 *
 * Architectures: bit a is set where an offer has architecture a. Round: see begin(). Bounds: single-precision numbers
 * that no price of the usage type is below; Infinity where it has none. Size: the codes of the largest vCPUs and GiB,
 * vCPUs x 256 + GiB; 0 where none is known. Machine: the one that all offers share, else noMachine. Plain: 1 where it has
 * a size and neither GPU, cap nor baseline, so that size and architecture tell all of it. Traits: kinds, then a bit where it
 * is offered, then the rank of its disk (see traitsWordOf); mixedTraits where providers of such a type differ. Speed and disk: as in TypeTraits.
 */
export class OfferGroups {
  readonly count: number
  readonly words: Uint32Array
  readonly bounds: Float32Array
  readonly vcpuCodes: SizeCodes
  readonly ramCodes: SizeCodes
  #round = 0

  constructor(columns: OfferColumns, traits: GroupTraits) {
    const { slotStart, offers, machines, groupOs, groupType } = columns
    this.count = groupOs.length
    this.words = new Uint32Array(this.count * groupWords)
    this.bounds = new Float32Array(this.words.buffer)
    const sized = Array.from({ length: machines.count }, (_, m) => m).filter((m) => machines.isSized(m))
    this.vcpuCodes = new SizeCodes(sized.map((m) => machines.vcpus(m)))
    this.ramCodes = new SizeCodes(sized.map((m) => machines.ramGib(m)))
    for (let g = 0; g < this.count; g++) {
      const at = g * groupWords
      this.words[at + typeWord] = groupType[g]!
      for (let u = 0; u <= usageCount; u++) this.words[at + u] = slotStart[g * usageCount + u]!
      for (let u = 0; u < usageCount; u++) {
        const isEmpty = this.words[at + u] === this.words[at + u + 1]
        const cheapest = isEmpty ? Infinity : offers.price(this.words[at + u]!)
        this.words[at + boundWord + u] = bitsRoundedDown(cheapest)
      }
      this.#lookAtMachines(columns, g)
      const only = traits.only(g)
      this.words[at + traitsWord] = only === undefined ? mixedTraits : traitsWordOf(only)
      this.words[at + speedWord] = only?.speed ?? 0
      this.words[at + diskWord] = only?.localDiskGib ?? 0
    }
  }

  /** Forgets, at no cost, which groups a search has dealt with: those whose round is the present one. */
  begin(): void {
    if (this.#round === 0xffff_ffff) {
      for (let g = 0; g < this.count; g++) this.words[g * groupWords + roundWord] = 0
      this.#round = 0
    }
    this.#round++
  }

  /** Whether it was not yet dealt with; from now on it is. */
  claim(group: number): boolean {
    if (this.words[group * groupWords + roundWord] === this.#round) return false
    this.words[group * groupWords + roundWord] = this.#round
    return true
  }

  size(group: number): number {
    return this.words[group * groupWords + sizeWord]!
  }

  #lookAtMachines({ offers, machines }: OfferColumns, group: number): void {
    const at = group * groupWords
    const end = this.words[at + usageCount]!
    let [last, seen, vcpus, ramGib] = [-1, 0, 0, 0]
    for (let i = this.words[at]!; i < end; i++) {
      const m = offers.machine(i)
      if (m === last) continue
      last = m
      seen++
      this.words[at + architecturesWord]! |= 1 << machines.architecture(m)
      if (!machines.isSized(m)) continue
      vcpus = Math.max(vcpus, this.vcpuCodes.of(machines.vcpus(m)))
      ramGib = Math.max(ramGib, this.ramCodes.of(machines.ramGib(m)))
    }
    const isExact = this.vcpuCodes.isExact && this.ramCodes.isExact
    this.words[at + sizeWord] = vcpus * 256 + ramGib
    this.words[at + machineWord] = seen === 1 ? last : noMachine
    this.words[at + plainWord] = seen === 1 && isExact && machines.isPlain(last) ? 1 : 0
  }
}

export const groupWords = 16
export const typeWord = 4
export const architecturesWord = 5
export const roundWord = 6
export const boundWord = 7
export const sizeWord = 10
export const machineWord = 11
export const plainWord = 12
export const traitsWord = 13
export const speedWord = 14
export const diskWord = 15
export const noMachine = 0xffff_ffff
export const mixedTraits = 0xffff_ffff

const offeredBit = 1 << 16
const rankShift = 17

export const traitsWordOf = ({
  kinds,
  isOffered,
  localDiskRank,
}: Omit<TypeTraits, 'speed' | 'localDiskGib'>): number =>
  kinds | (isOffered ? offeredBit : 0) | (localDiskRank << rankShift)

/** Whether traits, as a group holds them, are alike: the same kinds, offered, and as much disk as is asked for. */
export function isAlikeWord(like: Likeness, traits: number, diskGib: number): boolean {
  return (
    (traits & (offeredBit | (offeredBit - 1))) === (like.kinds | offeredBit) &&
    traits >> rankShift >= like.localDiskRank &&
    diskGib >= like.localDiskGib
  )
}

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** The bits of the greatest single-precision number that is not above a number from 0; they sort as the numbers do. */
function bitsRoundedDown(value: number): number {
  single[0] = Math.abs(value)
  if (single[0]! > value) bits[0]!--
  return bits[0]!
}

/**
 * A price as two bytes that sort as prices do: the bits of a single-precision number, from those of the least code up,
 * in steps of 4096, which is a twentieth of a percent. What is outside of a millionth to 4096 dollars shares the ends.
 * A greater code is a greater price; equal codes leave the order open.
 */
export function priceCode(price: number): number {
  const steps = (bitsRoundedDown(price) - leastBits) >> stepShift
  return steps < 0 ? 0 : Math.min(steps, mostCode)
}

const leastBits = bitsRoundedDown(2 ** -20)
const stepShift = 12
const mostCode = 0xffff

/**
 * Sizes as one byte each: 1 for the smallest there is, and so on; 0 for none. Where there are more sizes than bytes,
 * neighbours share one, so that what a code rules out is out, and what it lets through is looked at again.
 */
export class SizeCodes {
  /** The largest size of each code from 1, ascending. */
  readonly #largest: number[]
  /** Whether each size has a code of its own. */
  readonly isExact: boolean

  constructor(sizes: Iterable<number>) {
    const distinct = [...new Set(sizes)].filter((size) => size >= 0).sort((a, b) => a - b)
    const each = Math.max(1, Math.ceil(distinct.length / mostCodes))
    this.isExact = each === 1
    this.#largest = distinct.filter((_, i) => (i + 1) % each === 0 || i === distinct.length - 1)
  }

  /** The code of the least size that is enough; above all codes where none is. */
  of(size: number): number {
    let low = 0
    let high = this.#largest.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#largest[middle]! < size) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

const mostCodes = 255

/** Bit a is set where architecture a is let through. */
export function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return ~0
  let bits = 1 << architectureNames.indexOf('')
  for (const name of architectures) bits |= 1 << architectureNames.indexOf(name)
  return bits
}
