import { groupOf, type OfferColumns, usageOf } from './columns.ts'
import { compareText } from './dictionary.ts'

/**
 * The order of all answers: price, provider, region, instance type, usage type, term, zone, service; names and terms in
 * plain text order. Only what differs in nothing of these keeps the order in which it came.
 */
export function compareOffers(
  a: OfferColumns,
  slotA: number,
  offerA: number,
  b: OfferColumns,
  slotB: number,
  offerB: number,
): number {
  const byPrice = a.offers.price(offerA) - b.offers.price(offerB)
  if (byPrice !== 0) return byPrice
  if (a !== b) return compareAcross(a, slotA, offerA, b, slotB, offerB)
  const { labels, machines, offers, groupType } = a
  const labelA = offers.label(offerA)
  const labelB = offers.label(offerB)
  return (
    labels.place[labelA]! - labels.place[labelB]! ||
    groupType[groupOf(slotA)]! - groupType[groupOf(slotB)]! ||
    usageOf(slotA) - usageOf(slotB) ||
    labels.term[labelA]! - labels.term[labelB]! ||
    labels.zone[labelA]! - labels.zone[labelB]! ||
    machines.service(offers.machine(offerA)) - machines.service(offers.machine(offerB)) ||
    offerA - offerB
  )
}

const compareAcross: typeof compareOffers = (a, slotA, offerA, b, slotB, offerB) => {
  const labelA = a.labels.values[a.offers.label(offerA)]!
  const labelB = b.labels.values[b.offers.label(offerB)]!
  return (
    compareText(labelA.provider, labelB.provider) ||
    compareText(labelA.region, labelB.region) ||
    compareText(typeOf(a, slotA), typeOf(b, slotB)) ||
    usageOf(slotA) - usageOf(slotB) ||
    compareText(labelA.term, labelB.term) ||
    compareText(labelA.zone, labelB.zone) ||
    compareText(serviceOf(a, offerA), serviceOf(b, offerB))
  )
}

const typeOf = ({ types, groupType }: OfferColumns, slot: number): string => types[groupType[groupOf(slot)]!]!

const serviceOf = ({ machines, offers }: OfferColumns, offer: number): string =>
  machines.services[machines.service(offers.machine(offer))]!
