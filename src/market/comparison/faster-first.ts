import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Offer } from '../../domain/offer.ts'
import { similarPriceRatio } from '../../domain/recommendation.ts'
import { speedRatio } from '../../machines/changes.ts'
import { monthlyPrice } from '../../pricing/savings.ts'

/** Number of cheapest types to examine, however few are shown, since a faster one may cost nearly the same. */
export const examinedTypes = 20

/**
 * Moves the fastest of those that cost nearly as little as the cheapest, by the hour and by the month, to the front.
 * Every comparison that people read is in this order.
 */
export function fasterFirst(current: Offer, offers: readonly Offer[]): Offer[] {
  if (offers.length < 2) return [...offers]
  const cheapest = offers.reduce((a, b) => (b.pricePerHourUsd < a.pricePerHourUsd ? b : a))
  const [perHourUsd, perMonthUsd] = [cheapest.pricePerHourUsd, monthlyPrice(cheapest)]
  const isNear = (offer: Offer): boolean =>
    offer.pricePerHourUsd <= similarPriceRatio * perHourUsd &&
    monthlyPrice(offer) <= similarPriceRatio * perMonthUsd
  const near = offers.filter(isNear).map((offer) => ({ offer, speed: relativeSpeed(current, offer) }))
  return [
    ...near.sort((a, b) => b.speed - a.speed).map(({ offer }) => offer),
    ...offers.filter((offer) => !isNear(offer)),
  ]
}

/** Speed of a vCPU relative to one of the current machine; 1 if it is unknown. */
export const relativeSpeed = (current: Offer, offer: Offer): number =>
  speedRatio(shippedFacts().machines, current, offer)?.ratio ?? 1
