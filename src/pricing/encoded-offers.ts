import type { Offer } from '../domain/offer.ts'
import { instancePricing, type OfferFacts } from './answer.ts'
import { monthlyPriceOrNaN } from './savings.ts'

/**
 * What answers need of offers, written once, for the cheapest offers come back in most answers. Records lie side by side,
 * found by the offer's position in its catalogue:
 *
 *   0              8               16           20          24         28   32
 *   | USD an hour  | USD a month   | item start | price end | item end |    | text ...
 *
 *   ,"m5.large":[{"instance_pricing":{...},"vm":{...},"savings":
 *                ^ item start            ^ price end            ^ item end
 *
 * What comes before the item opens the group of its type. Starts and ends count from where the text begins; they are zero
 * where the offer's size is not known, which makes no item. USD a month is NaN where the price is none.
 * Holds for one catalogue and one set of facts, without metadata.
 */
export class EncodedOffers {
  /** The records; others when they have grown. */
  bytes = Buffer.alloc(0)
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset, 0)
  readonly #facts: OfferFacts
  readonly #offerAt: (position: number) => Offer
  readonly #mostBytes: number
  readonly #places = new IntMap()
  #used = 0

  constructor(facts: OfferFacts, offerAt: (position: number) => Offer, mostBytes = 8 * 1024 * 1024) {
    this.#facts = facts
    this.#offerAt = offerAt
    this.#mostBytes = mostBytes
  }

  /** Starts an answer: places returned from now on are valid until the next answer, because records are dropped only here. */
  begin(): void {
    if (this.#used <= this.#mostBytes) return
    this.#places.clear()
    this.#used = 0
  }

  /** Where the record of an offer is. */
  placeOf(position: number): number {
    const known = this.#places.find(position)
    return known >= 0 ? known : this.#write(position)
  }

  #write(position: number): number {
    const offer = this.#offerAt(position)
    const { vcpus, ramGib, pricePerHourUsd } = offer
    const isSized = vcpus !== null && ramGib !== null
    const pieces = isSized ? piecesOf(offer, { vcpus, ramGib }, this.#facts) : []
    const place = this.#ensureCapacity(pieces.reduce((sum, { length }) => sum + length, textOffset))
    const { view } = this
    view.setFloat64(place + hourOffset, pricePerHourUsd, true)
    view.setFloat64(place + monthOffset, monthlyPriceOrNaN(offer), true)
    let end = 0
    for (let i = 0; i < pieceEnds.length; i++) {
      const piece = pieces[i] ?? nothing
      this.bytes.set(piece, place + textOffset + end)
      end += piece.length
      view.setUint32(place + pieceEnds[i]!, end, true)
    }
    this.#places.add(position, place)
    return place
  }

  #ensureCapacity(bytes: number): number {
    const place = this.#used
    this.#used = place + Math.ceil(bytes / alignment) * alignment
    if (this.#used > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#used, 2 * this.bytes.length, fewestBytes))
      this.bytes.copy(larger)
      this.bytes = larger
      this.view = new DataView(larger.buffer, larger.byteOffset, larger.length)
    }
    return place
  }
}

export const hourOffset = 0
export const monthOffset = 8
export const itemStartOffset = 16
export const priceEndOffset = 20
export const itemEndOffset = 24
export const textOffset = 32
const pieceEnds = [itemStartOffset, priceEndOffset, itemEndOffset]

const alignment = 8
const fewestBytes = 64 * 1024
const nothing = new Uint8Array(0)

function piecesOf(offer: Offer, size: { vcpus: number; ramGib: number }, facts: OfferFacts): Uint8Array[] {
  const pricing = JSON.stringify(instancePricing(offer, size, facts))
  const vm = JSON.stringify({ cpu_cores: size.vcpus, ram_gb: size.ramGib })
  return [
    `,${JSON.stringify(offer.instanceType)}:[`,
    `{"instance_pricing":${pricing}`,
    `,"vm":${vm},"savings":`,
  ].map((text) => encoder.encode(text))
}

const encoder = new TextEncoder()

/**
 * From whole numbers that are not negative to others like them, in one array: a look touches one cache line, where a Map
 * takes three and an array as long as the price list would mostly be empty. Pairs lie where a hash of the first says, or
 * after that.
 */
export class IntMap {
  #pairs = new Int32Array(0)
  #shift = 0
  #count = 0

  constructor() {
    this.clear()
  }

  /** -1 where there is none. */
  find(key: number): number {
    const pairs = this.#pairs
    const last = pairs.length - 2
    for (let at = this.#startOf(key); ; at = (at + 2) & last) {
      if (pairs[at] === key) return pairs[at + 1]!
      if (pairs[at] === nobody) return -1
    }
  }

  /** A key that is not there yet. */
  add(key: number, value: number): void {
    if (this.#count * 4 >= this.#pairs.length) this.#grow()
    const last = this.#pairs.length - 2
    let at = this.#startOf(key)
    while (this.#pairs[at] !== nobody) at = (at + 2) & last
    this.#pairs[at] = key
    this.#pairs[at + 1] = value
    this.#count++
  }

  clear(): void {
    this.#shift = 32 - fewestBits
    this.#count = 0
    this.#pairs = new Int32Array(2 << fewestBits).fill(nobody)
  }

  #grow(): void {
    const before = this.#pairs
    this.#shift--
    this.#count = 0
    this.#pairs = new Int32Array(before.length * 2).fill(nobody)
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== nobody) this.add(before[at]!, before[at + 1]!)
  }

  #startOf(key: number): number {
    return (Math.imul(key, scatter) >>> this.#shift) << 1
  }
}

const nobody = -1
const fewestBits = 8
/** 2^32 over the golden ratio, which spreads neighbours apart. */
const scatter = 0x9e3779b1
