import type { ByteWriter } from './bytes.ts'
import { architectureNames, type Columns, osNames, termNames, usageNames } from './columns.ts'
import type { Machines } from './machines.ts'
import type { Ids } from './narrow.ts'
import { decimalOf, notDecimal } from './price-decimal.ts'
import type { TextTable } from './text-table.ts'

/** The words whose ids the columns hold; a reader with other words refuses. */
export const words: readonly (readonly string[])[] = [osNames, usageNames, termNames, architectureNames]

/** Column after column: what is alike lies together, which the compression needs. snapshot-read.ts mirrors each line. */
export function writeColumns(w: ByteWriter, columns: Columns): void {
  for (const names of words) writeTexts(w, names)
  writeTexts(w, columns.types)
  writeTexts(w, columns.zones)
  writeTexts(
    w,
    columns.places.map((p) => p.provider),
  )
  writeTexts(
    w,
    columns.places.map((p) => p.region),
  )
  writeTexts(
    w,
    columns.origins.map((o) => o.source),
  )
  writeTexts(
    w,
    columns.origins.map((o) => o.day),
  )
  writeMachines(w, columns.machines)
  w.varint(columns.groupType.length)
  writeIds(w, columns.groupType)
  writeIds(w, columns.groupOs)
  writeSteps(w, columns.cellsStart)
  writeIds(w, columns.cellPlace)
  writeSteps(w, columns.offersStart)
  writePrices(w, columns.price)
  for (const ids of [columns.term, columns.zone, columns.machine, columns.origin]) writeIds(w, ids)
  writeTable(w, columns.skus.first)
  writeTable(w, columns.skus.rest)
  writeAppearing(w, columns.skus.firstOf)
  writeAppearing(w, columns.skus.restOf)
}

function writeMachines(w: ByteWriter, machines: Machines): void {
  writeTexts(w, machines.services)
  writeTexts(w, machines.gpuNames)
  writeTexts(w, machines.families)
  w.varint(machines.count)
  for (const ids of [machines.service, machines.gpuName, machines.family, machines.architecture])
    writeIds(w, ids)
  for (const numbers of [
    machines.vcpus,
    machines.ramGib,
    machines.gpuCount,
    machines.monthlyCapUsd,
    machines.baseline,
  ])
    for (const number of numbers) w.double(number)
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

function writeIds(w: ByteWriter, ids: Ids): void {
  for (const id of ids) w.varint(id)
}

/** How long each range is. */
function writeSteps(w: ByteWriter, starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) w.varint(starts[i]! - starts[i - 1]!)
}

/** Digits after the point of every price, then its digits as a whole number: 0.0625 is 4 and 625. */
function writePrices(w: ByteWriter, prices: Float64Array): void {
  const decimals = Array.from(prices, decimalOf)
  for (const { digits } of decimals) w.byte(digits)
  for (let i = 0; i < prices.length; i++) {
    if (decimals[i]!.digits === notDecimal) w.double(prices[i]!)
    else w.varint(decimals[i]!.whole)
  }
}

/** Ids given in order of appearance: 0 none, 1 the next new one, 2 the newest so far, 3 the one before it, ... */
function writeAppearing(w: ByteWriter, ids: Ids): void {
  let newest = 0
  for (const id of ids) {
    if (id === 0) w.varint(0)
    else if (id === newest + 1) {
      w.varint(1)
      newest = id
    } else w.varint(newest - id + 2)
  }
}
