import { type Comparability, isOfKind, type TypeTraits } from '../../domain/comparability.ts'
import type { Need } from '../../domain/need.ts'
import { architectureNames, type OfferColumns, optionCount } from '../columns/columns.ts'
import { PriceCodes, SizeCodes } from './codes.ts'
import type { GroupTraits } from './list-keys.ts'

/**
 * What search reads of a group; each record is one cache line:
 *
 *   0                                          24     28      32             42     44        48       52     56
 *   | first offer of option 0 | 1 | 2 | 3 | 4 | and end | type | round | price codes x5 | size | machine | traits | disk |
 *
 * Option: an index of purchaseOptions. Type: its id, above a bit for each architecture of an offer and plainBit, which is
 * set if the machine has a size and no GPU, cap or baseline, so that size and architecture describe it completely. Round:
 * see begin(). Price codes: of the cheapest offer of each option (see PriceCodes). Size: the codes of the largest vCPUs and
 * GiB, vCPUs x 256 + GiB; 0 if unknown. Machine: the one that all offers share, else noMachine. Traits: the kinds, a bit
 * that is set if it is offered, the rank of its disk, and whether its vCPUs are shared (see traitsWordOf); mixedTraits if they differ between providers.
 * Disk: as in TypeTraits.
 */
export class OfferGroups {
  readonly count: number
  readonly words: Uint32Array
  /** The same memory. The codes of record g are at [g * groupHalves + codeHalf + option] and [g * groupHalves + sizeHalf]. */
  readonly halves: Uint16Array
  /**
   * As in TypeTraits; 0 also if it differs between providers. These are not in the records, because search skips many
   * groups by them.
   */
  readonly speeds: Uint32Array
  readonly options: readonly number[]
  readonly priceCodes = new PriceCodes()
  readonly vcpuCodes: SizeCodes
  readonly ramCodes: SizeCodes
  #round = 0

  constructor(columns: OfferColumns, traits: GroupTraits) {
    const { slotStart, offers, machines, groupOs, groupType } = columns
    this.count = groupOs.length
    this.words = new Uint32Array(this.count * groupWords)
    this.halves = new Uint16Array(this.words.buffer)
    this.speeds = new Uint32Array(this.count)
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
        this.halves[g * groupHalves + codeHalf + o] = this.priceCodes.codeOf(
          offers.price[this.words[at + o]!]!,
        )
      }
      this.#lookAtMachines(columns, g)
      const only = traits.only(g)
      this.words[at + traitsWord] = only === undefined ? mixedTraits : traitsWordOf(only)
      this.speeds[g] = only?.speed ?? 0
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
      const m = offers.machine[i]!
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
export const diskWord = 13
export const groupHalves = groupWords * 2
export const codeHalf = 16
export const sizeHalf = 21
export const plainBit = 1 << architectureNames.length
export const typeShift = 8
export const noMachine = 0xffff_ffff
export const mixedTraits = 0xffff_ffff

const offeredBit = 1 << 16
const rankShift = 17
const rankMask = 3
const sharedBit = 1 << 19

const traitsWordOf = ({
  kinds,
  isOffered,
  localDiskRank,
  isShared,
}: Omit<TypeTraits, 'speed' | 'localDiskGib'>): number =>
  kinds | (isOffered ? offeredBit : 0) | (localDiskRank << rankShift) | (isShared ? sharedBit : 0)

export const isSharedWord = (traits: number): boolean => (traits & sharedBit) !== 0

/** The same check as isComparable, on the words of a group: the same kinds, offered, and enough local disk. */
export function isComparableWord(comparableTo: Comparability, traits: number, diskGib: number): boolean {
  return (
    (traits & offeredBit) !== 0 &&
    isOfKind(comparableTo, traits & (offeredBit - 1)) &&
    ((traits >> rankShift) & rankMask) >= comparableTo.localDiskRank &&
    diskGib >= comparableTo.localDiskGib
  )
}

const everyArchitecture = (1 << architectureNames.length) - 1

/** Returns a bit set in which bit a is set if architecture a passes. */
export function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return everyArchitecture
  let bits = 1 << architectureNames.indexOf('')
  for (const name of architectures) bits |= 1 << architectureNames.indexOf(name)
  return bits
}
