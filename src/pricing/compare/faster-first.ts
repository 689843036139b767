import { speedRatio } from '../../catalogue/facts/changes.ts'
import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Offer } from '../../domain/offer.ts'
import { similarPriceRatio } from '../../domain/recommendation.ts'
import { monthlyPrice } from '../answer/savings.ts'
import { marketplaceSource } from '../own-prices/own-prices.ts'

/** Number of cheapest types to examine, however few are shown, since a faster one may cost nearly the same. */
export const examinedTypes = 20

/**
 * Sorts offers by the price of a month, and moves the fastest of those that cost nearly as little as the cheapest to the
 * front. Of equally fast ones, the one with the number of vCPUs of the current machine comes first, because licences are
 * paid by core. Listed types of unknown speed come last, because they are often old hosts, and so do types with more
 * vCPUs than a constrained one, which people run because licences are paid by vCPU. Every comparison that people
 * read is in this order.
 */
export function fasterFirst(current: Offer, offers: readonly Offer[]): Offer[] {
  if (offers.length < 2) return [...offers]
  const { compared, last } = comparedFirst(current, offers)
  return [...ranked(current, compared), ...ranked(current, last)]
}

/** Divides offers by whether they can be compared with the current machine without a caveat. */
export function comparedFirst(
  current: Offer,
  offers: readonly Offer[],
): { readonly compared: readonly Offer[]; readonly last: readonly Offer[] } {
  const { machines } = shippedFacts()
  const isConstrained = machines.kinds(current.provider, current.instanceType).includes('constrained-vcpu')
  const isSpeedKnown = knownSpeed(current, current) !== undefined
  const isCompared = (offer: Offer): boolean =>
    (!isSpeedKnown || offer.source === marketplaceSource || knownSpeed(current, offer) !== undefined) &&
    !(isConstrained && (offer.vcpus ?? 0) > (current.vcpus ?? 0))
  const { compared = [], last = [] } = Object.groupBy(offers, (offer) =>
    isCompared(offer) ? 'compared' : 'last',
  )
  return { compared, last }
}

function ranked(current: Offer, offers: readonly Offer[]): Offer[] {
  if (offers.length < 2) return [...offers]
  const sorted = offers.toSorted((a, b) => monthlyPrice(a) - monthlyPrice(b))
  const mostUsd = similarPriceRatio * monthlyPrice(sorted[0]!)
  const near = sorted
    .filter((offer) => monthlyPrice(offer) <= mostUsd)
    .map((offer) => ({
      offer,
      speed: relativeSpeed(current, offer),
      isAsWide: Number(offer.vcpus === current.vcpus),
    }))
  return [
    ...near.sort((a, b) => b.speed - a.speed || b.isAsWide - a.isAsWide).map(({ offer }) => offer),
    ...sorted.slice(near.length),
  ]
}

/** Speed of a vCPU relative to one of the current machine; 1 if it is unknown. */
export const relativeSpeed = (current: Offer, offer: Offer): number => knownSpeed(current, offer) ?? 1

const knownSpeed = (current: Offer, offer: Offer): number | undefined =>
  speedRatio(shippedFacts().machines, current, offer)?.ratio
