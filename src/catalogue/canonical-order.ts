import { type Columns, usageCount } from './columns.ts'
import { compareText } from './dictionary.ts'
import { startBelow } from './starts.ts'

/**
 * The order of all answers: price, provider, region, instance type, usage type, term, zone, service; names and terms in
 * plain text order. Only what differs in nothing of these keeps the order in which it came.
 */
export function compareOffers(
  a: Columns,
  cellA: number,
  offerA: number,
  b: Columns,
  cellB: number,
  offerB: number,
): number {
  const byPrice = a.price[offerA]! - b.price[offerB]!
  if (byPrice !== 0) return byPrice
  if (a !== b) return compareAcross(a, cellA, offerA, b, cellB, offerB)
  if (cellA !== cellB) {
    const byPlace = a.cellPlace[cellA]! - a.cellPlace[cellB]!
    if (byPlace !== 0) return byPlace
    const slotA = slotOf(a, cellA)
    const slotB = slotOf(a, cellB)
    const byType = a.groupType[groupOf(slotA)]! - a.groupType[groupOf(slotB)]!
    if (byType !== 0) return byType
    const byUsage = usageOf(slotA) - usageOf(slotB)
    if (byUsage !== 0) return byUsage
  }
  return (
    a.term[offerA]! - a.term[offerB]! ||
    a.zone[offerA]! - a.zone[offerB]! ||
    a.machines.service[a.machine[offerA]!]! - a.machines.service[a.machine[offerB]!]! ||
    offerA - offerB
  )
}

/** Which (group, usage type) a cell is of. */
export const slotOf = (columns: Columns, cell: number): number => startBelow(columns.cellsStart, cell)
export const groupOf = (slot: number): number => Math.floor(slot / usageCount)
export const usageOf = (slot: number): number => slot % usageCount

function compareAcross(
  a: Columns,
  cellA: number,
  offerA: number,
  b: Columns,
  cellB: number,
  offerB: number,
): number {
  const placeA = a.places[a.cellPlace[cellA]!]!
  const placeB = b.places[b.cellPlace[cellB]!]!
  const slotA = slotOf(a, cellA)
  const slotB = slotOf(b, cellB)
  return (
    compareText(placeA.provider, placeB.provider) ||
    compareText(placeA.region, placeB.region) ||
    compareText(a.types[a.groupType[groupOf(slotA)]!]!, b.types[b.groupType[groupOf(slotB)]!]!) ||
    usageOf(slotA) - usageOf(slotB) ||
    a.term[offerA]! - b.term[offerB]! ||
    compareText(a.zones[a.zone[offerA]!]!, b.zones[b.zone[offerB]!]!) ||
    compareText(serviceOf(a, offerA), serviceOf(b, offerB))
  )
}

const serviceOf = (columns: Columns, offer: number): string =>
  columns.machines.services[columns.machines.service[columns.machine[offer]!]!]!
