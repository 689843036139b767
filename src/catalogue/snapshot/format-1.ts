import {
  type OfferColumns,
  OfferRecords,
  optionCount,
  type PriceLabels,
  purchaseOptionOf,
  purchaseOptions,
  termNames,
  usageNames,
} from '../columns/columns.ts'

/** The offers of a file, with the slots in which they are. */
export type SlottedOffers = Pick<OfferColumns, 'slotStart' | 'offers' | 'skus'>

/**
 * Splits the slots of format 1, in which a group has one slot for each usage type, by the length of terms. Offers that
 * stay together keep their order.
 */
export function splitReservedSlots(stored: SlottedOffers, labels: PriceLabels): SlottedOffers {
  const usageStart = stored.slotStart
  const groups = (usageStart.length - 1) / usageNames.length
  const slotStart = new Uint32Array(groups * optionCount + 1)
  const order = new Uint32Array(stored.offers.count)
  let next = 0
  for (let slot = 0; slot < groups * optionCount; slot++) {
    const option = slot % optionCount
    const { usageType } = purchaseOptions[option]!
    const from = Math.floor(slot / optionCount) * usageNames.length + usageNames.indexOf(usageType)
    slotStart[slot] = next
    for (let i = usageStart[from]!; i < usageStart[from + 1]!; i++) {
      const term = termNames[labels.term[stored.offers.label(i)]!]!
      if (purchaseOptionOf(usageType, term) === option) order[next++] = i
    }
  }
  slotStart[groups * optionCount] = next
  return { slotStart, ...reordered(stored, order) }
}

function reordered({ offers, skus }: SlottedOffers, order: Uint32Array): Omit<SlottedOffers, 'slotStart'> {
  const moved = new OfferRecords(offers.count)
  const firstOf = skus.firstOf.slice()
  const restOf = skus.restOf.slice()
  for (const [to, from] of order.entries()) {
    moved.set(to, offers.price(from), offers.machine(from), offers.label(from))
    firstOf[to] = skus.firstOf[from]!
    restOf[to] = skus.restOf[from]!
  }
  return { offers: moved, skus: { ...skus, firstOf, restOf } }
}
