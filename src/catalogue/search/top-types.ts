import { maxRounding } from '../../domain/money.ts'
import type { FoundPositions, FoundType, Need } from '../../domain/need.ts'
import { compareOffers } from '../columns/columns.ts'
import { OfferView } from '../columns/offer-view.ts'
import { BestOffers, comparePrices, distanceRank, type SearchSource } from './best-offers.ts'
import { PriceCodes } from './codes.ts'
import { groupWords, typeShift, typeWord } from './groups.ts'
import { groupNamed } from './lookup.ts'

/** In the canonical order of their best offers. One object serves many searches, one at a time. */
export class TopTypes {
  /** A type whose cheapest price has a greater code is not needed. */
  greatestCode = Infinity
  readonly #best = new BestOffers()
  readonly #priceCodes = new PriceCodes()
  #limit = 0
  #offersPerType = 0
  #count = 0
  #sources: readonly SearchSource[] = []
  /** Storage slots of the types, best type first. The offers of slot s begin at s * offersPerType. */
  #slots = new Int32Array(0)
  #counts = new Int32Array(0)
  #prices = new Float64Array(0)
  #offers = new Int32Array(0)
  #slotOf = new Int32Array(0)
  #indexes = new Int32Array(0)
  readonly #found = new Positions()

  begin({ limit, offersPerType }: Need, sources: readonly SearchSource[]): void {
    let [groups, offers] = [0, 0]
    for (const { searchIndex } of sources) {
      groups += searchIndex.groups.count
      offers += searchIndex.columns.count
    }
    this.greatestCode = Infinity
    this.#limit = Math.min(limit, groups)
    this.#offersPerType = Math.min(offersPerType, offers)
    this.#sources = sources
    this.#count = 0
    this.#best.begin(sources, this.#offersPerType)
    this.#ensureCapacity(this.#limit, this.#limit * this.#offersPerType)
  }

  /**
   * Adds the type of a group if its best offers, over all sources, are among the best so far. Only offers within [from, to)
   * of its slots can pass.
   */
  consider(source: SearchSource, group: number, from = 0, to = Infinity): void {
    const { columns, groups } = source.searchIndex
    if (!groups.claim(group)) return
    const best = this.#best
    best.clear()
    best.addGroup(source, group, from, to)
    if (this.#sources.length > 1)
      this.#addNamesakes(source, columns.types[groups.words[group * groupWords + typeWord]! >>> typeShift]!)
    if (best.count > 0) this.#keep(best)
  }

  found(): FoundType[] {
    const types = new Array<FoundType>(this.#count)
    for (let i = 0; i < this.#count; i++) types[i] = this.#typeAt(this.#slots[i]!)
    return types
  }

  positions(): FoundPositions {
    const found = this.#found
    found.begin(this.#count, this.#count * this.#offersPerType)
    let next = 0
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#slots[i]!
      const from = slot * this.#offersPerType
      const to = from + this.#counts[slot]!
      for (let offer = from; offer < to; offer++) {
        found.sources[next] = this.#sources[this.#indexes[offer]!]!.catalogue
        found.positions[next++] = this.#offers[offer]!
      }
      found.starts[i + 1] = next
    }
    return found
  }

  #ensureCapacity(types: number, offers: number): void {
    if (this.#slots.length < types) {
      this.#slots = new Int32Array(types)
      this.#counts = new Int32Array(types)
    }
    if (this.#prices.length >= offers) return
    this.#prices = new Float64Array(offers)
    this.#offers = new Int32Array(offers)
    this.#slotOf = new Int32Array(offers)
    this.#indexes = new Int32Array(offers)
  }

  #addNamesakes(source: SearchSource, instanceType: string): void {
    for (const other of this.#sources) {
      if (other === source) continue
      const group = groupNamed(other.searchIndex, instanceType, other.filter.os)
      if (group < 0) continue
      other.searchIndex.groups.claim(group)
      this.#best.addGroup(other, group)
    }
  }

  #keep(best: BestOffers): void {
    const slots = this.#slots
    let at = this.#count
    while (at > 0 && this.#isBefore(best, slots[at - 1]!)) at--
    if (at >= this.#limit) return
    const slot = this.#count < this.#limit ? this.#count++ : slots[this.#count - 1]!
    for (let i = this.#count - 1; i > at; i--) slots[i] = slots[i - 1]!
    slots[at] = slot
    this.#counts[slot] = best.count
    const from = slot * this.#offersPerType
    for (let i = 0; i < best.count; i++) {
      this.#prices[from + i] = best.prices[i]!
      this.#offers[from + i] = best.offers[i]!
      this.#slotOf[from + i] = best.slots[i]!
      this.#indexes[from + i] = best.indexes[i]!
    }
    if (this.#count < this.#limit) return
    const greatest = this.#prices[slots[this.#count - 1]! * this.#offersPerType]!
    this.greatestCode = this.#priceCodes.codeOf(greatest + maxRounding)
  }

  #isBefore(best: BestOffers, slot: number): boolean {
    const i = slot * this.#offersPerType
    const [ours, theirs] = [this.#sources[best.indexes[0]!]!, this.#sources[this.#indexes[i]!]!]
    const [offer, other] = [best.offers[0]!, this.#offers[i]!]
    const order =
      comparePrices(best.prices[0]!, this.#prices[i]!) ||
      distanceRank(ours, offer) - distanceRank(theirs, other) ||
      compareOffers(
        ours.searchIndex.columns,
        best.slots[0]!,
        offer,
        theirs.searchIndex.columns,
        this.#slotOf[i]!,
        other,
      )
    return order < 0
  }

  #typeAt(slot: number): FoundType {
    const from = slot * this.#offersPerType
    const count = this.#counts[slot]!
    const offers = new Array<OfferView>(count)
    for (let i = 0; i < count; i++) {
      const { columns } = this.#sources[this.#indexes[from + i]!]!.searchIndex
      offers[i] = new OfferView(columns, this.#offers[from + i]!, this.#slotOf[from + i]!)
    }
    return { instanceType: offers[0]!.instanceType, offers }
  }
}

/** The arrays grow to the size of the largest answer so far. */
class Positions implements FoundPositions {
  types = 0
  starts = new Int32Array(1)
  sources = new Int32Array(0)
  positions = new Int32Array(0)

  begin(types: number, maxOffers: number): void {
    this.types = types
    if (this.starts.length <= types) this.starts = new Int32Array(types + 1)
    if (this.positions.length >= maxOffers) return
    this.sources = new Int32Array(maxOffers)
    this.positions = new Int32Array(maxOffers)
  }
}
