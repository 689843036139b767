import type { FoundPositions } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { instancePricing, type OfferFacts } from './answer.ts'
import { encodeSavings, maxSavingsBytes } from './encode-savings.ts'
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

/** Returns JSON text with the labels in order. Any text can be a label, even `__proto__`. */
export function resultJson(answer: readonly (readonly [label: string, items: readonly unknown[]])[]): string {
  return `{${answer.map(([label, items]) => `${JSON.stringify(label)}:${JSON.stringify(items)}`).join(',')}}`
}

/**
 * The current instance: its position in the first catalogue, or its pricing as JSON text if it is not in
 * there or of unknown size.
 */
export type CurrentInstance = number | string

interface EncodeContext {
  readonly offers: readonly EncodedOffers[]
  readonly workspace: EncodeWorkspace
  /** Returns a buffer of at least this size; its content does not matter. */
  allocate(bytes: number): Buffer
}

/** Memory that is reused for each answer. One answer is written completely before the next begins. */
export class EncodeWorkspace {
  readonly amounts = new Float64Array(amountCount)
  offsets = new Int32Array(64)
}

/** Returns the bytes of the JSON text of buildResult(), without building the answer as objects first. */
export function encodeResult(
  current: Price,
  base: CurrentInstance,
  found: FoundPositions,
  { offers, workspace, allocate }: EncodeContext,
): Buffer {
  for (let i = 0; i < offers.length; i++) offers[i]!.begin()
  const { types, starts, sources } = found
  const baseOffset = typeof base === 'number' ? offers[0]!.recordOffset(base) : -1
  const offsets = findOffsets(found, offers, workspace)
  const { amounts } = workspace
  const out = allocate(maxBytes(base, baseOffset, found, offsets, offers))
  const view = new DataView(out.buffer, out.byteOffset, out.length)
  let at = putBase(out, base, baseOffset, offers[0]!)
  amounts[currentHour] = current.pricePerHourUsd
  amounts[currentMonth] = monthlyPriceOrNaN(current)
  for (let type = 0; type < types; type++) {
    const before = at
    for (let i = starts[type]!; i < starts[type + 1]!; i++)
      at = putItem(out, view, at, at > before, offers[sources[i]!]!, offsets[i]!, amounts)
    if (at > before) view.setUint8(at++, closeBracket)
  }
  view.setUint8(at++, closeBrace)
  return out.subarray(0, at)
}

/**
 * Finds the records of all offers, and writes those that are missing, so that no record moves
 * while the answer is written.
 */
function findOffsets(
  { types, starts, sources, positions }: FoundPositions,
  offers: EncodeContext['offers'],
  workspace: EncodeWorkspace,
): Int32Array {
  const count = starts[types]!
  if (workspace.offsets.length < count) workspace.offsets = new Int32Array(count)
  const { offsets } = workspace
  for (let i = 0; i < count; i++) offsets[i] = offers[sources[i]!]!.recordOffset(positions[i]!)
  return offsets
}

function maxBytes(
  base: CurrentInstance,
  baseOffset: number,
  { types, starts, sources }: FoundPositions,
  offsets: Int32Array,
  offers: EncodeContext['offers'],
): number {
  let most = maxBytesAround
  if (typeof base === 'string') most += base.length * maxBytesOfChar
  else most += offers[0]!.view.getUint32(baseOffset + priceEndOffset, true)
  for (let i = 0; i < starts[types]!; i++)
    most += offers[sources[i]!]!.view.getUint32(offsets[i]! + itemEndOffset, true) + maxBytesOfItem
  return most
}

/** Writes the current instance. Returns the index after the last byte written. */
function putBase(out: Buffer, base: CurrentInstance, recordOffset: number, { bytes, view }: EncodedOffers) {
  let at = openBase.copy(out, 0)
  if (typeof base === 'string') {
    at += openPricing.copy(out, at)
    at += out.write(base, at)
  } else {
    const text = recordOffset + textOffset
    const from = text + view.getUint32(recordOffset + itemStartOffset, true)
    at += bytes.copy(out, at, from, text + view.getUint32(recordOffset + priceEndOffset, true))
  }
  return at + closeBase.copy(out, at)
}

/**
 * Writes one offer. Returns the index after the last byte written. Writes nothing if the size of the offer is
 * unknown or nothing is saved.
 */
function putItem(
  out: Buffer,
  outView: DataView,
  start: number,
  isNext: boolean,
  { bytes, view }: EncodedOffers,
  recordOffset: number,
  amounts: Float64Array,
): number {
  const end = view.getUint32(recordOffset + itemEndOffset, true)
  amounts[candidateHour] = view.getFloat64(recordOffset + hourOffset, true)
  amounts[candidateMonth] = view.getFloat64(recordOffset + monthOffset, true)
  if (end === 0 || !putSavings(amounts)) return start
  const text = recordOffset + textOffset
  let from = text
  let at = start
  if (isNext) {
    outView.setUint8(at++, comma)
    from += view.getUint32(recordOffset + itemStartOffset, true)
  }
  // Buffer.copy is by far the fastest way to move a few hundred bytes, and creates no garbage.
  bytes.copy(out, at, from, text + end)
  at = encodeSavings(outView, at + text + end - from, amounts)
  outView.setUint8(at, closeBrace)
  return at + 1
}

const openBase = Buffer.from('{"base":[')
const openPricing = Buffer.from('{"instance_pricing":')
const closeBase = Buffer.from(`,"vm":null,"savings":${JSON.stringify(noSavings)}}]`)
const [comma, closeBracket, closeBrace] = [0x2c, 0x5d, 0x7d]

const maxBytesOfChar = 3
const maxBytesAround = openBase.length + openPricing.length + closeBase.length + 1
/** The savings, a comma or the bracket that closes the group, and a brace. */
const maxBytesOfItem = maxSavingsBytes + 3

/**
 * What answers need of offers, encoded once, because most answers contain the same cheapest offers. Records are stored one
 * after the other, and found by the offer's position in its catalogue:
 *
 *   0              8               16           20          24         28   32
 *   | USD an hour  | USD a month   | item start | price end | item end |    | text ...
 *
 *   ,"m5.large":[{"instance_pricing":{...},"vm":{...},"savings":
 *                ^ item start            ^ price end            ^ item end
 *
 * The text before the item opens the group of its type. Starts and ends count from the beginning of the text; they are zero
 * if the offer's size is unknown, because there is no item then. USD a month is NaN if the price is not valid.
 * One object belongs to one catalogue and one set of facts, without metadata.
 */
export class EncodedOffers {
  /** The records. A larger buffer replaces them when they grow. */
  bytes = Buffer.alloc(0)
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset, 0)
  readonly #facts: OfferFacts
  readonly #offerAt: (position: number) => Offer
  readonly #maxBytes: number
  /** One more than the offset of the record of each position; 0 if there is none. */
  #places = new Int32Array(0)
  #used = 0

  constructor(facts: OfferFacts, offerAt: (position: number) => Offer, maxBytes = 8 * 1024 * 1024) {
    this.#facts = facts
    this.#offerAt = offerAt
    this.#maxBytes = maxBytes
  }

  /**
   * Starts an answer. Offsets returned from now on are valid until the next answer, because records are dropped only here.
   */
  begin(): void {
    if (this.#used <= this.#maxBytes) return
    this.#places.fill(0)
    this.#used = 0
  }

  /** Returns the offset of an offer's record. Writes the record if there is none. */
  recordOffset(position: number): number {
    const place = position < this.#places.length ? this.#places[position]! : 0
    return place > 0 ? place - 1 : this.#write(position)
  }

  #write(position: number): number {
    const offer = this.#offerAt(position)
    const { vcpus, ramGib, pricePerHourUsd } = offer
    const isSized = vcpus !== null && ramGib !== null
    const pieces = isSized ? piecesOf(offer, { vcpus, ramGib }, this.#facts) : []
    const recordOffset = this.#ensureCapacity(pieces.reduce((sum, { length }) => sum + length, textOffset))
    const { view } = this
    view.setFloat64(recordOffset + hourOffset, pricePerHourUsd, true)
    view.setFloat64(recordOffset + monthOffset, monthlyPriceOrNaN(offer), true)
    let end = 0
    for (let i = 0; i < pieceEnds.length; i++) {
      const piece = pieces[i] ?? nothing
      this.bytes.set(piece, recordOffset + textOffset + end)
      end += piece.length
      view.setUint32(recordOffset + pieceEnds[i]!, end, true)
    }
    if (position >= this.#places.length) {
      const more = new Int32Array(Math.max(position + 1, 2 * this.#places.length))
      more.set(this.#places)
      this.#places = more
    }
    this.#places[position] = recordOffset + 1
    return recordOffset
  }

  #ensureCapacity(bytes: number): number {
    const recordOffset = this.#used
    this.#used = recordOffset + Math.ceil(bytes / alignment) * alignment
    if (this.#used > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#used, 2 * this.bytes.length, minBytes))
      this.bytes.copy(larger)
      this.bytes = larger
      this.view = new DataView(larger.buffer, larger.byteOffset, larger.length)
    }
    return recordOffset
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
const minBytes = 64 * 1024
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
