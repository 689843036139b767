import type { FoundPositions } from '../domain/need.ts'
import type { Answer } from './answer.ts'
import { ByteWriter } from './byte-writer.ts'
import {
  amountCount,
  candidateHour,
  candidateMonth,
  currentHour,
  currentMonth,
  monthOrNone,
  noSavings,
  type Price,
  putSavings,
} from './savings.ts'
import { mostSavingsBytes, putSavingsText } from './savings-text.ts'
import {
  hourOffset,
  itemEndOffset,
  itemStartOffset,
  monthOffset,
  priceEndOffset,
  textOffset,
  type WrittenOffers,
} from './written-offers.ts'

/** JSON text with the labels in order and any label as data, `__proto__` included. */
export function answerText(answer: Answer): string {
  return `{${answer.map(([label, items]) => `${JSON.stringify(label)}:${JSON.stringify(items)}`).join(',')}}`
}

/** The current instance: an offer of the first catalogue, or its pricing as JSON text where it is none, or of unknown size. */
export type Base = number | string

/** What an answer is written with. */
export interface Writing {
  /** Of each catalogue that was searched. */
  readonly offers: readonly WrittenOffers[]
  /** So many bytes or more, of any content. */
  allocate(bytes: number): Buffer
}

/** The bytes of the text of answerOf(), without making the answer first. */
export function writeAnswer(
  current: Price,
  base: Base,
  found: FoundPositions,
  { offers, allocate }: Writing,
): Buffer {
  for (let i = 0; i < offers.length; i++) offers[i]!.begin()
  const { types, starts, sources } = found
  const basePlace = typeof base === 'number' ? offers[0]!.placeOf(base) : -1
  let most = bytesOfBase(base, basePlace, offers[0]!) + mostBytesAround
  const places = findPlaces(found, offers)
  for (let i = 0; i < starts[types]!; i++)
    most += offers[sources[i]!]!.view.getUint32(places[i]! + itemEndOffset, true) + mostBytesOfItem
  const bytes = allocate(most)
  const writer = new ByteWriter(bytes)
  putBase(writer, base, basePlace, offers[0]!)
  amounts[currentHour] = current.pricePerHourUsd
  amounts[currentMonth] = monthOrNone(current)
  for (let type = 0; type < types; type++) {
    let items = 0
    for (let i = starts[type]!; i < starts[type + 1]!; i++)
      if (putItem(writer, offers[sources[i]!]!, places[i]!, items > 0)) items++
    if (items > 0) writer.putByte(closeBracket)
  }
  writer.putByte(closeBrace)
  return bytes.subarray(0, writer.length)
}

/** Once all are found, none moves. */
function findPlaces({ types, starts, sources, positions }: FoundPositions, offers: Writing['offers']) {
  const count = starts[types]!
  if (places.length < count) places = new Int32Array(count)
  for (let i = 0; i < count; i++) places[i] = offers[sources[i]!]!.placeOf(positions[i]!)
  return places
}

function bytesOfBase(base: Base, place: number, { view }: WrittenOffers): number {
  return typeof base === 'string'
    ? base.length * mostBytesOfChar
    : view.getUint32(place + priceEndOffset, true)
}

function putBase(writer: ByteWriter, base: Base, place: number, { bytes, view }: WrittenOffers): void {
  writer.put(openBase)
  if (typeof base === 'string') {
    writer.put(openPricing)
    writer.putText(base)
  } else {
    const text = place + textOffset
    const from = text + view.getUint32(place + itemStartOffset, true)
    writer.putFrom(bytes, from, text + view.getUint32(place + priceEndOffset, true))
  }
  writer.put(closeBase)
}

/** False where the offer's size is not known, or nothing is saved. */
function putItem(writer: ByteWriter, offers: WrittenOffers, place: number, isNext: boolean): boolean {
  const { bytes, view } = offers
  const end = view.getUint32(place + itemEndOffset, true)
  amounts[candidateHour] = view.getFloat64(place + hourOffset, true)
  amounts[candidateMonth] = view.getFloat64(place + monthOffset, true)
  if (end === 0 || !putSavings(amounts)) return false
  const text = place + textOffset
  if (isNext) {
    writer.putByte(comma)
    writer.putFrom(bytes, text + view.getUint32(place + itemStartOffset, true), text + end)
  } else writer.putFrom(bytes, text, text + end)
  writer.length = putSavingsText(writer.view, writer.length, amounts)
  writer.putByte(closeBrace)
  return true
}

/** One answer is written before the next begins. */
const amounts = new Float64Array(amountCount)
let places = new Int32Array(64)

const openBase = Buffer.from('{"base":[')
const openPricing = Buffer.from('{"instance_pricing":')
const closeBase = Buffer.from(`,"vm":null,"savings":${JSON.stringify(noSavings)}}]`)
const [comma, closeBracket, closeBrace] = [0x2c, 0x5d, 0x7d]

const mostBytesOfChar = 3
const mostBytesAround = openBase.length + openPricing.length + closeBase.length + 1
/** With a comma or what closes the group, and a brace. */
const mostBytesOfItem = mostSavingsBytes + 3
