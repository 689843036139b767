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
  const byPrice = a.offers.price(offerA) - b.offers.price(offerB)
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
  return compareInCell(a, offerA, offerB)
}

/** Which (group, usage type) a cell is of. */
export const slotOf = (columns: Columns, cell: number): number => startBelow(columns.cellsStart, cell)
export const groupOf = (slot: number): number => Math.floor(slot / usageCount)
export const usageOf = (slot: number): number => slot % usageCount

function compareInCell({ offers, labels, machines }: Columns, a: number, b: number): number {
  const labelA = offers.label(a)
  const labelB = offers.label(b)
  return (
    labels.term[labelA]! - labels.term[labelB]! ||
    labels.zone[labelA]! - labels.zone[labelB]! ||
    machines.service(offers.machine(a)) - machines.service(offers.machine(b)) ||
    a - b
  )
}

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
  const labelA = a.offers.label(offerA)
  const labelB = b.offers.label(offerB)
  return (
    compareText(placeA.provider, placeB.provider) ||
    compareText(placeA.region, placeB.region) ||
    compareText(a.types[a.groupType[groupOf(slotA)]!]!, b.types[b.groupType[groupOf(slotB)]!]!) ||
    usageOf(slotA) - usageOf(slotB) ||
    a.labels.term[labelA]! - b.labels.term[labelB]! ||
    compareText(a.zones[a.labels.zone[labelA]!]!, b.zones[b.labels.zone[labelB]!]!) ||
    compareText(serviceOf(a, offerA), serviceOf(b, offerB))
  )
}

const serviceOf = ({ machines, offers }: Columns, offer: number): string =>
  machines.services[machines.service(offers.machine(offer))]!
