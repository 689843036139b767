import { type Offer, terms, type UsageType } from '../domain/offer.ts'

interface WantedOffer {
  readonly usageType: UsageType
  /** '' if it is not given. */
  readonly zone: string
}

/**
 * Which of a type's offers at one place and system is the price of the instance the caller runs:
 * the usage type asked for, the first term there is, the zone asked for, else the price of the whole region,
 * else the cheapest zone.
 */
export function chooseCurrent(offers: readonly Offer[], wanted: WantedOffer): Offer | undefined {
  const zone = wanted.zone.toLowerCase()
  const rank = (offer: Offer): number => {
    if (offer.zone === '') return 1
    return offer.zone.toLowerCase() === zone ? 0 : 2
  }
  const before = (a: Offer, b: Offer): boolean => {
    const order =
      terms.indexOf(a.term) - terms.indexOf(b.term) ||
      rank(a) - rank(b) ||
      a.pricePerHourUsd - b.pricePerHourUsd
    return order === 0 ? a.zone + a.service < b.zone + b.service : order < 0
  }
  let best: Offer | undefined
  for (const offer of offers) {
    if (offer.usageType !== wanted.usageType) continue
    if (best === undefined || before(offer, best)) best = offer
  }
  return best
}

/** The terms to look for, in order, where a price has to be made up from the family's. */
export const termsFor = (usageType: UsageType) => (usageType === 'RESERVED' ? terms : ([''] as const))
