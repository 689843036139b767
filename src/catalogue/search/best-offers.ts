import { coresPerCore, isComparable, sharedShare, type TypeTraits } from '../../domain/comparability.ts'
import { hoursPerMonth, maxRounding, roundToUnits } from '../../domain/money.ts'
import { compareOffers, type OfferColumns, optionCount } from '../columns/columns.ts'
import { PriceCodes } from './codes.ts'
import { isLargeEnough, type SearchFilter } from './filter.ts'
import {
  codeHalf,
  diskWord,
  groupHalves,
  groupWords,
  isComparableWord,
  isSharedWord,
  machineWord,
  mixedTraits,
  noMachine,
  plainBit,
  sizeHalf,
  traitsWord,
  typeWord,
} from './groups.ts'
import { isUnsold, type SearchIndex } from './search-index.ts'

/** One of the catalogues that are searched together, and the filter for it. */
export interface SearchSource {
  /** Index among the catalogues in which an offer can pass. */
  readonly index: number
  /** Index among all catalogues that are searched. */
  readonly catalogue: number
  readonly searchIndex: SearchIndex
  readonly filter: SearchFilter
}

/**
 * The best offers of one instance type that pass, in canonical order. One object is used for all types. It stores only
 * numbers: storing a reference to a young object in an old one costs more than all the rest.
 */
export class BestOffers {
  count = 0
  prices = new Float64Array(1)
  offers = new Int32Array(1)
  slots = new Int32Array(1)
  indexes = new Int32Array(1)
  readonly #priceCodes = new PriceCodes()
  #sources: readonly SearchSource[] = []
  #most = 0
  /** Offers above this price are not needed. Infinity until there are enough offers. */
  #maxPrice = Infinity
  #maxCode = Infinity
  /** The machine that was checked last. The offers of one type usually share a machine. */
  #machine = -1
  #machinePasses = false
  /** Whether all offers of the group that is being checked have this machine. */
  #isOnlyMachine = false
  #monthlyCapUsd = 0
  /** How many cores of the type that is being checked replace one required core. */
  #coresPerCore = 1
  /** Whether its vCPUs are shared. */
  #isShared = false
  /**
   * For a type whose traits differ between providers: the provider that was checked last, and whether its type is
   * comparable.
   */
  #provider = -1
  #providerPasses = true

  begin(sources: readonly SearchSource[], most: number): void {
    this.#sources = sources
    this.#most = most
    if (this.prices.length >= most) return
    this.prices = new Float64Array(most)
    this.offers = new Int32Array(most)
    this.slots = new Int32Array(most)
    this.indexes = new Int32Array(most)
  }

  clear(): void {
    this.count = 0
    this.#maxPrice = Infinity
    this.#maxCode = Infinity
  }

  addGroup(source: SearchSource, group: number, from = 0, to = Infinity): void {
    const { words, halves } = source.searchIndex.groups
    const { filter } = source
    const { options, belowCode } = filter
    const at = group * groupWords
    this.#machine = -1
    this.#provider = -1
    const isMixed = words[at + traitsWord] === mixedTraits
    if (!isMixed) {
      const { comparableTo, types } = filter
      if (comparableTo !== undefined) {
        const isFit =
          types !== undefined ||
          isComparableWord(comparableTo, words[at + traitsWord]!, words[at + diskWord]!)
        if (!isFit) return
        this.#coresPerCore = coresPerCore(comparableTo, source.searchIndex.groups.speeds[group]!)
      } else this.#coresPerCore = 1
      this.#isShared = isSharedWord(words[at + traitsWord]!)
    }
    this.#isOnlyMachine = words[at + machineWord] !== noMachine && !isMixed
    if (this.#isOnlyMachine) {
      this.#lookAtOnly(source, group)
      if (!this.#machinePasses) return
    }
    // Spot is the last option and tends to be the cheapest: if it is read first, it rules out the others.
    for (let o = options.length - 1; o >= 0; o--) {
      const option = options[o]!
      const code = halves[group * groupHalves + codeHalf + option]!
      if (code <= this.#maxCode && code <= belowCode)
        this.#addSlot(
          source,
          group,
          option,
          words[at + option]! + from,
          Math.min(words[at + option + 1]!, words[at + option]! + to),
          isMixed,
        )
    }
  }

  #addSlot(source: SearchSource, group: number, option: number, from: number, to: number, isMixed: boolean) {
    const slot = group * optionCount + option
    const { filter } = source
    const { columns } = source.searchIndex
    const { price: prices, machine: machines, place: places } = columns.offers
    const isOnlyMachine = this.#isOnlyMachine
    // A type that is named explicitly is searched everywhere.
    const unsold = filter.types === undefined ? source.searchIndex.unsold.get(group) : undefined
    const { onlyPlace, placeMarks, belowPerHourUsd, belowPerMonthUsd } = filter
    for (let i = from; i < to; i++) {
      if (onlyPlace >= 0) {
        while (i < to && places[i] !== onlyPlace) i++
        if (i === to) return
      } else if (placeMarks !== undefined && placeMarks[places[i]!] === 0) continue
      const price = prices[i]!
      if (price >= belowPerHourUsd || price > this.#maxPrice) return
      if (unsold !== undefined && isUnsold(columns, unsold[places[i]!]!, i)) continue
      if (isMixed && !this.#lookAtProvider(source, group, places[i]!)) continue
      if (!isOnlyMachine && machines[i] !== this.#machine) this.#look(columns, filter, machines[i]!)
      if (
        this.#machinePasses &&
        Math.min(price * hoursPerMonth, this.#monthlyCapUsd) < belowPerMonthUsd &&
        zonePasses(source, i, places[i]!)
      )
        this.#insert(source, slot, i, price)
    }
  }

  /** For a type whose traits differ between providers: whether the type of the provider at this place is comparable. */
  #lookAtProvider({ searchIndex, filter }: SearchSource, group: number, place: number): boolean {
    const provider = searchIndex.words.placeProvider[place]!
    if (provider === this.#provider) return this.#providerPasses
    const traits: TypeTraits = searchIndex.traits.traitsOf(group, provider)
    const { comparableTo, types } = filter
    this.#machine = -1
    this.#provider = provider
    this.#coresPerCore = comparableTo === undefined ? 1 : coresPerCore(comparableTo, traits.speed)
    this.#isShared = traits.isShared
    this.#providerPasses =
      comparableTo === undefined || types !== undefined || isComparable(comparableTo, traits)
    return this.#providerPasses
  }

  /** Checks the machine that all offers of a group share. A plain machine is checked without reading its record. */
  #lookAtOnly({ searchIndex, filter }: SearchSource, group: number): void {
    const { words, halves } = searchIndex.groups
    const at = group * groupWords
    const machine = words[at + machineWord]!
    if ((words[at + typeWord]! & plainBit) === 0) {
      this.#look(searchIndex.columns, filter, machine)
      return
    }
    this.#machine = machine
    this.#monthlyCapUsd = Infinity
    this.#machinePasses =
      filter.gpu === 0 &&
      this.#isLargeEnough(halves[group * groupHalves + sizeHalf]!, searchIndex, filter) &&
      (!this.#isShared || this.#sustains(searchIndex.columns.machines.vcpus(machine), NaN, filter)) &&
      (words[at + typeWord]! & filter.architectures) !== 0
  }

  #isLargeEnough(size: number, { groups }: SearchIndex, filter: SearchFilter): boolean {
    if (this.#coresPerCore === 1 && !filter.comparableTo?.countsFasterCores)
      return isLargeEnough(size, filter)
    return (
      size >> 8 >= groups.vcpuCodes.codeOf(filter.vcpus * this.#coresPerCore) &&
      (size & 0xff) >= filter.ramCode
    )
  }

  /** Checks a machine. An unknown size is NaN, which is never enough. */
  #look({ machines }: OfferColumns, filter: SearchFilter, m: number): void {
    this.#machine = m
    const cap = machines.monthlyCapUsd(m)
    this.#monthlyCapUsd = Number.isNaN(cap) ? Infinity : cap
    this.#machinePasses =
      machines.vcpus(m) >= filter.vcpus * this.#coresPerCore &&
      machines.ramGib(m) >= filter.ramGib &&
      ((filter.architectures >> machines.architecture(m)) & 1) === 1 &&
      machines.gpuKey(m) === filter.gpu &&
      machines.gpuCount(m) >= filter.gpuCount &&
      this.#sustains(machines.vcpus(m), machines.baseline(m), filter)
  }

  /** The baseline is NaN if the machine is not burstable. */
  #sustains(vcpus: number, baseline: number, filter: SearchFilter): boolean {
    if (!Number.isNaN(baseline))
      return vcpus * baseline >= filter.sustainedBurstableVcpus * this.#coresPerCore
    return !this.#isShared || vcpus * sharedShare >= filter.sustainedSharedVcpus * this.#coresPerCore
  }

  #insert(source: SearchSource, slot: number, offer: number, price: number): void {
    const { prices, offers, slots, indexes } = this
    const most = this.#most
    let at = this.count
    while (
      at > 0 &&
      price <= prices[at - 1]! + maxRounding &&
      this.#isBefore(source, slot, offer, price, at - 1)
    ) {
      at--
      if (at + 1 === most) continue
      prices[at + 1] = prices[at]!
      offers[at + 1] = offers[at]!
      slots[at + 1] = slots[at]!
      indexes[at + 1] = indexes[at]!
    }
    if (at === most) return
    prices[at] = price
    offers[at] = offer
    slots[at] = slot
    indexes[at] = source.index
    if (this.count < most) this.count++
    if (this.count < most) return
    this.#maxPrice = prices[most - 1]! + maxRounding
    this.#maxCode = this.#priceCodes.codeOf(this.#maxPrice)
  }

  #isBefore(source: SearchSource, slot: number, offer: number, price: number, other: number): boolean {
    const theirs = this.#sources[this.indexes[other]!]!
    const byPrice = comparePrices(price, this.prices[other]!)
    const order = byPrice || distanceRank(source, offer) - distanceRank(theirs, this.offers[other]!)
    if (order !== 0) return order < 0
    // The offers of a slot are added in canonical order.
    if (this.slots[other] === slot && theirs === source) return false
    const { columns } = source.searchIndex
    const slotOfOther = this.slots[other]!
    return (
      compareOffers(columns, slot, offer, theirs.searchIndex.columns, slotOfOther, this.offers[other]!) < 0
    )
  }
}

/** Prices are equal if they are equal to six decimals. */
export const comparePrices = (a: number, b: number): number =>
  Math.abs(a - b) > maxRounding ? a - b : roundToUnits(a, 1e6) - roundToUnits(b, 1e6)

/** Among equal prices, one at the place of the current machine comes first, then one of its provider. */
export function distanceRank({ searchIndex, filter }: SearchSource, offer: number): number {
  const { homePlace, homeProvider } = filter
  if (homeProvider < 0) return 2
  const place = searchIndex.columns.offers.place[offer]!
  return place === homePlace ? 0 : searchIndex.words.placeProvider[place] === homeProvider ? 1 : 2
}

/**
 * Whether the zone of an offer passes. The places of a filter are those in which its zones lie, so an offer without a
 * zone has already passed.
 */
function zonePasses({ searchIndex, filter }: SearchSource, offer: number, place: number): boolean {
  const { zoneMarks, excludedLabels } = filter
  const mayBeExcluded = excludedLabels !== undefined && searchIndex.localPlaces[place] === 1
  if (zoneMarks === undefined && !mayBeExcluded) return true
  const { offers, labels, zones } = searchIndex.columns
  const label = offers.label[offer]!
  if (mayBeExcluded && excludedLabels[label] === 1) return false
  return zoneMarks === undefined || zoneMarks[labels.zone[label]!] === 1 || zones[labels.zone[label]!] === ''
}
