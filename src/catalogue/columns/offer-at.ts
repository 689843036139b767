import type { Offer } from '../../domain/offer.ts'
import { type OfferColumns, slotOf } from './columns.ts'
import { OfferView } from './offer-view.ts'

/** The offer at a position of the columns. */
export function offerAt(columns: OfferColumns, position: number): Offer {
  return new OfferView(columns, position, slotOf(columns, position)).copy()
}

export function* offersIn(columns: OfferColumns): Generator<Offer> {
  for (const view of viewsIn(columns)) yield view.copy()
}

/** The same a tenth as large, which matters to who holds all of them. */
export function* viewsIn(columns: OfferColumns): Generator<OfferView> {
  const { slotStart } = columns
  for (let s = 0; s + 1 < slotStart.length; s++)
    for (let i = slotStart[s]!; i < slotStart[s + 1]!; i++) yield new OfferView(columns, i, s)
}
