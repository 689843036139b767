import type { FoundPositions } from '../domain/need.ts'
import { encodeSavings, maxSavingsBytes } from './encode-savings.ts'
import {
  type EncodedOffers,
  hourOffset,
  itemEndOffset,
  itemStartOffset,
  monthOffset,
  priceEndOffset,
  textOffset,
} from './encoded-offers.ts'
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
