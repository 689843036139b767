import type { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { architectureNames, type OfferColumns, osNames, termNames, usageNames } from '../columns/columns.ts'
import type { IdArray } from '../columns/dictionary.ts'
import type { Machines } from '../columns/machines.ts'
import type { TextTable } from '../columns/skus.ts'

/** The names whose ids the columns contain. A reader with other names refuses the file. */
export const storedVocabularies: readonly (readonly string[])[] = [
  osNames,
  usageNames,
  termNames,
  architectureNames,
]

/**
 * Writes column after column: similar values are next to each other, which makes compression effective.
 * read-columns.ts mirrors each line.
 */
export function writeColumns(w: ByteWriter, columns: OfferColumns): void {
  const { machines, labels, offers, skus } = columns
  for (const names of storedVocabularies) writeTexts(w, names)
  writeTexts(w, columns.types)
  writeTexts(w, columns.zones)
  writeTexts(w, fieldsOf(columns.places, 'provider'))
  writeTexts(w, fieldsOf(columns.places, 'region'))
  writeMachines(w, machines)
  const origins = Array.from(labels.origin, (origin) => labels.origins[origin]!)
  writeTexts(w, fieldsOf(origins, 'source'))
  writeTexts(w, fieldsOf(origins, 'day'))
  writeIds(w, labels.place)
  writeIds(w, labels.term)
  writeIds(w, labels.zone)
  w.varint(columns.groupType.length)
  writeIds(w, columns.groupType)
  writeIds(w, columns.groupOs)
  writeSteps(w, columns.slotStart)
  writePrices(w, columns.offers.price)
  for (let i = 0; i < columns.count; i++) w.varint(offers.machine[i]!)
  for (let i = 0; i < columns.count; i++) w.varint(offers.label[i]!)
  writeTable(w, skus.first)
  writeTable(w, skus.rest)
  writeAppearing(w, skus.firstOf)
  writeAppearing(w, skus.restOf)
}

function writeMachines(w: ByteWriter, machines: Machines): void {
  writeTexts(w, machines.services)
  writeTexts(w, machines.gpuNames)
  writeTexts(w, machines.families)
  w.varint(machines.count)
  for (const id of ['service', 'gpuName', 'family', 'architecture'] as const)
    for (let m = 0; m < machines.count; m++) w.varint(machines[id](m))
  for (const number of ['vcpus', 'ramGib', 'gpuCount', 'monthlyCapUsd', 'baseline'] as const)
    for (let m = 0; m < machines.count; m++) w.float64(machines[number](m))
}

function fieldsOf<F extends string>(values: readonly Readonly<Record<F, string>>[], field: F): string[] {
  return values.map((value) => value[field])
}

function writeTexts(w: ByteWriter, texts: readonly string[]): void {
  w.varint(texts.length)
  for (const text of texts) w.text(text)
}

function writeTable(w: ByteWriter, table: TextTable): void {
  w.varint(table.length)
  for (let i = 0; i < table.length; i++) w.varint(table.starts[i + 1]! - table.starts[i]!)
  w.block(table.bytes)
}

function writeIds(w: ByteWriter, ids: IdArray): void {
  for (const id of ids) w.varint(id)
}

function writeSteps(w: ByteWriter, starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) w.varint(starts[i]! - starts[i - 1]!)
}

/** Digits after the point of every price, then its digits as a whole number: 0.0625 is 4 and 625. */
function writePrices(w: ByteWriter, price: Iterable<number>): void {
  const decimals = Array.from(price, toDecimal)
  for (const { digits } of decimals) w.byte(digits)
  let i = 0
  for (const value of price) {
    const { digits, whole } = decimals[i++]!
    if (digits === notDecimal) w.float64(value)
    else w.varint(whole)
  }
}

/** In order of appearance: 0 none, 1 the next new one, 2 the newest so far, 3 the one before it, ... */
function writeAppearing(w: ByteWriter, ids: IdArray): void {
  let newest = 0
  for (const id of ids) {
    if (id === 0) w.varint(0)
    else if (id === newest + 1) {
      w.varint(1)
      newest = id
    } else w.varint(newest - id + 2)
  }
}

/** Returns the shortest decimal that is exactly the same double. Most prices are decimals of a few digits. */
export function toDecimal(price: number): DecimalPrice {
  for (let digits = 0; digits <= maxDigits; digits++) {
    const whole = Math.round(price * 10 ** digits)
    if (whole > Number.MAX_SAFE_INTEGER) break
    if (fromDecimal(whole, digits) === price) return { whole, digits }
  }
  return { whole: 0, digits: notDecimal }
}

interface DecimalPrice {
  readonly whole: number
  /** Number of digits after the point; notDecimal if no short decimal equals the price. */
  readonly digits: number
}

export const notDecimal = 255
export const maxDigits = 15

/** Both operands are exact doubles, so the quotient is the double nearest to the decimal. */
export const fromDecimal = (whole: number, digits: number): number => whole / 10 ** digits
