import type { FoundType } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { type Answer, type Facts, pricingOf } from './answer.ts'
import { ByteWriter, mostNumberBytes, slackBytes, wordsOf } from './byte-writer.ts'
import type { Size } from './requirement.ts'
import { noSavings, putSavings } from './savings.ts'
import type { WrittenOffer } from './written-offers.ts'

/** JSON text with the labels in order and any label as data, `__proto__` included. */
export function answerText(answer: Answer): string {
  return `{${answer.map(([label, items]) => `${JSON.stringify(label)}:${JSON.stringify(items)}`).join(',')}}`
}

/** What an answer is written with. */
export interface Writing {
  /** An offer's own part. */
  writtenOf(offer: Offer): WrittenOffer
  /** New bytes of any content. */
  allocate(bytes: number): Uint8Array
}

/** The bytes of the text of answerOf(), without making the answer first. */
export function writeAnswer(
  current: Offer,
  vm: Size,
  found: readonly FoundType[],
  facts: Facts,
  writing: Writing,
): Uint8Array {
  const base = { instance_pricing: pricingOf(current, vm, facts), vm: null, savings: noSavings }
  const now = { pricePerHourUsd: current.pricePerHourUsd, monthlyCapUsd: current.monthlyCapUsd }
  const first = `{"base":[${JSON.stringify(base)}]`
  const written: WrittenOffer[] = []
  let most = first.length * mostBytesOfChar + slackBytes
  // Loops by index: what iterators allocate is most of what such an answer would.
  for (let g = 0; g < found.length; g++) {
    const { offers } = found[g]!
    for (let i = 0; i < offers.length; i++) {
      const own = writing.writtenOf(offers[i]!)
      written.push(own)
      most += own.opening.length + (own.bytes?.length ?? 0) + mostSavingsBytes
    }
  }
  const bytes = writing.allocate(most)
  const writer = new ByteWriter(bytes)
  writer.putText(first)
  let next = 0
  for (let g = 0; g < found.length; g++) {
    const { length } = found[g]!.offers
    let items = 0
    for (let i = 0; i < length; i++) {
      const { opening, bytes: own, price } = written[next++]!
      if (own === null || !putSavings(amounts, now, price)) continue
      if (items++ > 0) writer.putWords(comma)
      else writer.put(opening)
      writer.put(own)
      writeSavings(writer)
    }
    if (items > 0) writer.putWords(closeGroup)
  }
  writer.putWords(closeAnswer)
  return bytes.subarray(0, writer.length)
}

const amounts = new Float64Array(4)

function writeSavings(writer: ByteWriter): void {
  writer.putWords(percentage)
  writer.putThousandths(amounts, 0)
  writer.putWords(perHour)
  writer.putMillionths(amounts, 1)
  writer.putWords(perMonth)
  writer.putThousandths(amounts, 2)
  writer.putWords(perYear)
  writer.putThousandths(amounts, 3)
  writer.putWords(closeItem)
}

const percentage = wordsOf('{"percentage":')
const perHour = wordsOf(',"amount_per_hour":')
const perMonth = wordsOf(',"amount_per_month":')
const perYear = wordsOf(',"amount_per_year":')
const closeItem = wordsOf('}}')
const comma = wordsOf(',')
const closeGroup = wordsOf(']')
const closeAnswer = wordsOf('}')

const mostBytesOfChar = 3
const mostSavingsBytes =
  comma.length +
  closeGroup.length +
  [percentage, perHour, perMonth, perYear, closeItem].reduce((sum, { length }) => sum + length, 0) +
  4 * mostNumberBytes
