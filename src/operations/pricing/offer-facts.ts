import { baseRates } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { baseProvider } from '../../importers/base.ts'
import { type OfferFacts, rawPricingData } from '../../pricing/answer.ts'
import { marketplaceSource } from '../marketplace/own-prices.ts'
import type { Market, PricingDeps } from './deps.ts'
import { describeMachine } from './describe-machine.ts'
import { notesOn } from './notes.ts'
import { familyRatesIn } from './rates.ts'
import type { RecommendationRequest } from './request.ts'

/** What an answer says of offers beyond themselves. */
export function offerFactsFor(
  deps: PricingDeps,
  { catalogue, own }: Market,
  withMetadata: boolean,
  /** What others are compared with in the metadata. */
  current?: Offer,
  /** Size and usage of the current one, for the notes on it. */
  request?: Pick<RecommendationRequest, 'vm' | 'usage'>,
): OfferFacts {
  const names = new Map(deps.providers.map(({ key, displayName }) => [key, displayName]))
  const isOwn = (offer: { source: string }): boolean => offer.source === marketplaceSource
  const facts: OfferFacts = {
    displayName: (offer) => (isOwn(offer) ? offer.provider : (names.get(offer.provider) ?? offer.provider)),
    ratesOf: (offer) => (offer.provider === baseProvider.key ? baseRates : familyRatesIn(catalogue, offer)),
  }
  if (!withMetadata) return facts
  return {
    ...facts,
    rawOf: (offer) => {
      const isCurrent = offer === current
      const machine = describeMachine(offer, isCurrent ? undefined : current)
      const raw = rawPricingData(
        offer,
        machine,
        isOwn(offer) ? 'own' : offer.provider === baseProvider.key ? 'base' : 'list',
        isOwn(offer) ? JSON.parse(own.rawOf(offer)) : undefined,
      )
      return isCurrent && request ? { ...raw, notes: notesOn(offer, machine, request) } : raw
    },
  }
}
