import {
  type OfferColumns,
  type OfferFields,
  optionCount,
  type PriceLabels,
  purchaseOptionOf,
  purchaseOptions,
  termNames,
  usageNames,
} from '../columns/columns.ts'
import type { IdArray } from '../columns/dictionary.ts'

/** The offers of a file, with the slots in which they are. */
export type SlottedOffers = Pick<OfferColumns, 'slotStart' | 'skus'> & {
  readonly offers: Omit<OfferFields, 'place'>
}

/** A group of format 1 has one slot for each usage type. Offers that stay together keep their order. */
export function splitReservedSlots(stored: SlottedOffers, labels: PriceLabels): SlottedOffers {
  const usageStart = stored.slotStart
  const groups = (usageStart.length - 1) / usageNames.length
  const slotStart = new Uint32Array(groups * optionCount + 1)
  const order = new Uint32Array(stored.offers.price.length)
  let next = 0
  for (let slot = 0; slot < groups * optionCount; slot++) {
    const option = slot % optionCount
    const { usageType } = purchaseOptions[option]!
    const from = Math.floor(slot / optionCount) * usageNames.length + usageNames.indexOf(usageType)
    slotStart[slot] = next
    for (let i = usageStart[from]!; i < usageStart[from + 1]!; i++) {
      const term = termNames[labels.term[stored.offers.label[i]!]!]!
      if (purchaseOptionOf(usageType, term) === option) order[next++] = i
    }
  }
  slotStart[groups * optionCount] = next
  return { slotStart, ...reordered(stored, order) }
}

function reordered({ offers, skus }: SlottedOffers, order: Uint32Array): Omit<SlottedOffers, 'slotStart'> {
  const moved = <A extends IdArray | Float64Array>(values: A): A => {
    const result = values.slice() as A
    for (const [to, from] of order.entries()) result[to] = values[from]!
    return result
  }
  return {
    offers: { price: moved(offers.price), machine: moved(offers.machine), label: moved(offers.label) },
    skus: { ...skus, firstOf: moved(skus.firstOf), restOf: moved(skus.restOf) },
  }
}
