import type { Comparability, TypeTraits } from '../../domain/comparability.ts'
import type { Need } from '../../domain/need.ts'
import { architectureNames, type OfferColumns, optionCount } from '../columns/columns.ts'
import type { GroupTraits } from './list-keys.ts'

/**
 * What search reads of a group; each record is one cache line:
 *
 *   0                                          24     28      32             42     44        48       52      56     60
 *   | first offer of option 0 | 1 | 2 | 3 | 4 | and end | type | round | price codes x5 | size | machine | traits | speed | disk |
 *
 * Option: an index of purchaseOptions. Type: its id, above a bit for each architecture of an offer and plainBit, which is
 * set if the machine has a size and no GPU, cap or baseline, so that size and architecture describe it completely. Round:
 * see begin(). Price codes: of the cheapest offer of each option (see priceCode). Size: the codes of the largest vCPUs and
 * GiB, vCPUs x 256 + GiB; 0 if unknown. Machine: the one that all offers share, else noMachine. Traits: the kinds, a bit
 * that is set if it is offered, and the rank of its disk (see traitsWordOf); mixedTraits if they differ between providers.
 * Speed and disk: as in TypeTraits.
 */
export class OfferGroups {
  readonly count: number
  readonly words: Uint32Array
  /** The same memory. The codes of record g are at [g * groupHalves + codeHalf + option] and [g * groupHalves + sizeHalf]. */
  readonly halves: Uint16Array
  /** The purchase options that have an offer. */
  readonly options: readonly number[]
  readonly vcpuCodes: SizeCodes
  readonly ramCodes: SizeCodes
  #round = 0

  constructor(columns: OfferColumns, traits: GroupTraits) {
    const { slotStart, offers, machines, groupOs, groupType } = columns
    this.count = groupOs.length
    this.words = new Uint32Array(this.count * groupWords)
    this.halves = new Uint16Array(this.words.buffer)
    const options = new Set<number>()
    const sized = Array.from({ length: machines.count }, (_, m) => m).filter((m) => machines.isSized(m))
    this.vcpuCodes = new SizeCodes(sized.map((m) => machines.vcpus(m)))
    this.ramCodes = new SizeCodes(sized.map((m) => machines.ramGib(m)))
    for (let g = 0; g < this.count; g++) {
      const at = g * groupWords
      this.words[at + typeWord] = groupType[g]! << typeShift
      for (let o = 0; o <= optionCount; o++) this.words[at + o] = slotStart[g * optionCount + o]!
      for (let o = 0; o < optionCount; o++) {
        if (this.words[at + o] === this.words[at + o + 1]) continue
        options.add(o)
        this.halves[g * groupHalves + codeHalf + o] = priceCode(offers.price(this.words[at + o]!))
      }
      this.#lookAtMachines(columns, g)
      const only = traits.only(g)
      this.words[at + traitsWord] = only === undefined ? mixedTraits : traitsWordOf(only)
      this.words[at + speedWord] = only?.speed ?? 0
      this.words[at + diskWord] = only?.localDiskGib ?? 0
    }
    this.options = [...options].sort((a, b) => a - b)
  }

  /**
   * Starts a search. A group has been handled if its round is the current one, so a new round
   * resets all groups at no cost.
   */
  begin(): void {
    if (this.#round === 0xffff_ffff) {
      for (let g = 0; g < this.count; g++) this.words[g * groupWords + roundWord] = 0
      this.#round = 0
    }
    this.#round++
  }

  /** Marks a group as handled. Returns false if it was handled before. */
  claim(group: number): boolean {
    if (this.words[group * groupWords + roundWord] === this.#round) return false
    this.words[group * groupWords + roundWord] = this.#round
    return true
  }

  size(group: number): number {
    return this.halves[group * groupHalves + sizeHalf]!
  }

  #lookAtMachines({ offers, machines }: OfferColumns, group: number): void {
    const at = group * groupWords
    const end = this.words[at + optionCount]!
    let [last, seen, vcpus, ramGib] = [-1, 0, 0, 0]
    for (let i = this.words[at]!; i < end; i++) {
      const m = offers.machine(i)
      if (m === last) continue
      last = m
      seen++
      this.words[at + typeWord]! |= 1 << machines.architecture(m)
      if (!machines.isSized(m)) continue
      vcpus = Math.max(vcpus, this.vcpuCodes.codeOf(machines.vcpus(m)))
      ramGib = Math.max(ramGib, this.ramCodes.codeOf(machines.ramGib(m)))
    }
    const isExact = this.vcpuCodes.isExact && this.ramCodes.isExact
    this.halves[group * groupHalves + sizeHalf] = vcpus * 256 + ramGib
    this.words[at + machineWord] = seen === 1 ? last : noMachine
    if (seen === 1 && isExact && machines.isPlain(last)) this.words[at + typeWord]! |= plainBit
  }
}

export const groupWords = 16
export const typeWord = 6
const roundWord = 7
export const machineWord = 11
export const traitsWord = 12
export const speedWord = 13
export const diskWord = 14
export const groupHalves = groupWords * 2
export const codeHalf = 16
export const sizeHalf = 21
export const plainBit = 1 << architectureNames.length
export const typeShift = 8
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

/** The same check as isComparable, on the words of a group: the same kinds, offered, and enough local disk. */
export function isComparableWord(comparableTo: Comparability, traits: number, diskGib: number): boolean {
  return (
    (traits & (offeredBit | (offeredBit - 1))) === (comparableTo.kinds | offeredBit) &&
    traits >> rankShift >= comparableTo.localDiskRank &&
    diskGib >= comparableTo.localDiskGib
  )
}

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/**
 * Returns the bits of the greatest single-precision number that is not above a non-negative number. The
 * bits sort as the numbers do.
 */
function bitsRoundedDown(value: number): number {
  single[0] = Math.abs(value)
  if (single[0]! > value) bits[0]!--
  return bits[0]!
}

/**
 * Encodes a price in two bytes that sort as prices do: the bits of a single-precision number, counted from those of the
 * lowest price in steps of 4096, which is a twentieth of a percent. Prices below a millionth or above 4096 dollars get
 * the lowest or the highest code. A greater code means a greater price; equal codes say nothing about the order.
 */
export function priceCode(price: number): number {
  const steps = (bitsRoundedDown(price) - leastBits) >> stepShift
  return steps < 0 ? 0 : Math.min(steps, mostCode)
}

const leastBits = bitsRoundedDown(2 ** -20)
const stepShift = 12
const mostCode = 0xffff

/**
 * Encodes sizes in one byte each: 1 for the smallest size, 2 for the next, and so on; 0 for none. If there are more sizes
 * than codes, neighbours share one: what a code rules out is too small, and what it lets through must be checked again.
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

  /** Returns the code of the smallest size that is enough, or a code above all others if none is. */
  codeOf(size: number): number {
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

const everyArchitecture = (1 << architectureNames.length) - 1

/** Returns a bit set in which bit a is set if architecture a passes. */
export function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return everyArchitecture
  let bits = 1 << architectureNames.indexOf('')
  for (const name of architectures) bits |= 1 << architectureNames.indexOf(name)
  return bits
}
