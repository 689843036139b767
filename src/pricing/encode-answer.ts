import type { FoundPositions } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { instancePricing, type OfferFacts } from './answer.ts'
import { encodeSavings, maxSavingsBytes } from './encode-savings.ts'
import { IntMap } from './int-map.ts'
import {
  amountCount,
  candidateHour,
  candidateMonth,
  currentHour,
  currentMonth,
  monthlyPriceOrNaN,
  noSavings,
  type Price,
  putSavings,
} from './savings.ts'

/** JSON text with the labels in order and any label as data, `__proto__` included. */
export function resultJson(answer: readonly (readonly [label: string, items: readonly unknown[]])[]): string {
  return `{${answer.map(([label, items]) => `${JSON.stringify(label)}:${JSON.stringify(items)}`).join(',')}}`
}

/** The current instance: an offer of the first catalogue, or its pricing as JSON text where it is none, or of unknown size. */
export type CurrentInstance = number | string

/** What an answer is written with. */
interface EncodeContext {
  /** One per catalogue that was searched. */
  readonly offers: readonly EncodedOffers[]
  readonly workspace: EncodeWorkspace
  /** Returns a buffer of at least this size; its content does not matter. */
  allocate(bytes: number): Buffer
}

/** Memory that is used again for each answer. One answer is written before the next begins. */
export class EncodeWorkspace {
  readonly amounts = new Float64Array(amountCount)
  places = new Int32Array(64)
}

/** The bytes of the text of buildResult(), without making the answer first. */
export function encodeResult(
  current: Price,
  base: CurrentInstance,
  found: FoundPositions,
  { offers, workspace, allocate }: EncodeContext,
): Buffer {
  for (let i = 0; i < offers.length; i++) offers[i]!.begin()
  const { types, starts, sources } = found
  const basePlace = typeof base === 'number' ? offers[0]!.placeOf(base) : -1
  const places = findPlaces(found, offers, workspace)
  const { amounts } = workspace
  const out = allocate(mostBytes(base, basePlace, found, places, offers))
  const view = new DataView(out.buffer, out.byteOffset, out.length)
  let at = putBase(out, base, basePlace, offers[0]!)
  amounts[currentHour] = current.pricePerHourUsd
  amounts[currentMonth] = monthlyPriceOrNaN(current)
  for (let type = 0; type < types; type++) {
    const before = at
    for (let i = starts[type]!; i < starts[type + 1]!; i++)
      at = putItem(out, view, at, at > before, offers[sources[i]!]!, places[i]!, amounts)
    if (at > before) view.setUint8(at++, closeBracket)
  }
  view.setUint8(at++, closeBrace)
  return out.subarray(0, at)
}

/** Once all are found, none moves. */
function findPlaces(
  { types, starts, sources, positions }: FoundPositions,
  offers: EncodeContext['offers'],
  workspace: EncodeWorkspace,
): Int32Array {
  const count = starts[types]!
  if (workspace.places.length < count) workspace.places = new Int32Array(count)
  const { places } = workspace
  for (let i = 0; i < count; i++) places[i] = offers[sources[i]!]!.placeOf(positions[i]!)
  return places
}

function mostBytes(
  base: CurrentInstance,
  basePlace: number,
  { types, starts, sources }: FoundPositions,
  places: Int32Array,
  offers: EncodeContext['offers'],
): number {
  let most = mostBytesAround
  if (typeof base === 'string') most += base.length * mostBytesOfChar
  else most += offers[0]!.view.getUint32(basePlace + priceEndOffset, true)
  for (let i = 0; i < starts[types]!; i++)
    most += offers[sources[i]!]!.view.getUint32(places[i]! + itemEndOffset, true) + mostBytesOfItem
  return most
}

/** Where it ends. */
function putBase(out: Buffer, base: CurrentInstance, place: number, { bytes, view }: EncodedOffers): number {
  let at = openBase.copy(out, 0)
  if (typeof base === 'string') {
    at += openPricing.copy(out, at)
    at += out.write(base, at)
  } else {
    const text = place + textOffset
    const from = text + view.getUint32(place + itemStartOffset, true)
    at += bytes.copy(out, at, from, text + view.getUint32(place + priceEndOffset, true))
  }
  return at + closeBase.copy(out, at)
}

/** Where it ends; where the offer's size is not known, or nothing is saved, there is none. */
function putItem(
  out: Buffer,
  outView: DataView,
  start: number,
  isNext: boolean,
  { bytes, view }: EncodedOffers,
  place: number,
  amounts: Float64Array,
): number {
  const end = view.getUint32(place + itemEndOffset, true)
  amounts[candidateHour] = view.getFloat64(place + hourOffset, true)
  amounts[candidateMonth] = view.getFloat64(place + monthOffset, true)
  if (end === 0 || !putSavings(amounts)) return start
  const text = place + textOffset
  let from = text
  let at = start
  if (isNext) {
    outView.setUint8(at++, comma)
    from += view.getUint32(place + itemStartOffset, true)
  }
  // Buffer.copy is by far the fastest way to move a few hundred bytes, and leaves nothing to collect.
  bytes.copy(out, at, from, text + end)
  at = encodeSavings(outView, at + text + end - from, amounts)
  outView.setUint8(at, closeBrace)
  return at + 1
}

const openBase = Buffer.from('{"base":[')
const openPricing = Buffer.from('{"instance_pricing":')
const closeBase = Buffer.from(`,"vm":null,"savings":${JSON.stringify(noSavings)}}]`)
const [comma, closeBracket, closeBrace] = [0x2c, 0x5d, 0x7d]

const mostBytesOfChar = 3
const mostBytesAround = openBase.length + openPricing.length + closeBase.length + 1
/** With a comma or what closes the group, and a brace. */
const mostBytesOfItem = maxSavingsBytes + 3

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

const hourOffset = 0
const monthOffset = 8
const itemStartOffset = 16
const priceEndOffset = 20
const itemEndOffset = 24
const textOffset = 32
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
