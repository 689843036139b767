import type { Offer } from '../domain/offer.ts'
import { slotOf } from './canonical-order.ts'
import type { Columns } from './columns.ts'
import { OfferView } from './offer-view.ts'
import { startBelow } from './starts.ts'

/** The offer at a position of the columns. */
export function offerAt(columns: Columns, position: number): Offer {
  return offerInCell(columns, position, startBelow(columns.offersStart, position))
}

export function offerInCell(columns: Columns, position: number, cell: number): Offer {
  return new OfferView(columns, position, cell, slotOf(columns, cell)).copy()
}

export function* offersIn(columns: Columns): Generator<Offer> {
  const { offersStart } = columns
  for (let c = 0; c + 1 < offersStart.length; c++)
    for (let i = offersStart[c]!; i < offersStart[c + 1]!; i++) yield offerInCell(columns, i, c)
}
