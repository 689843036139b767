import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import { roundHourly, roundSum } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { baseProvider } from '../../importers/providers.ts'
import { describeMachine } from '../../machines/describe-machine.ts'
import { monthlyPrice } from '../../pricing/savings.ts'
import type { Market, PricingDeps } from '../market.ts'
import { offerFactsFor } from '../offer-facts.ts'
import { marketplaceSource } from '../own-prices.ts'
import { type ComparedOffer, machineName, type PriceOrigin, priceAge } from './comparison.ts'

/** Writes offers for people, with facts about the machine and what changes compared with the current one. */
export class OfferWriter {
  readonly #current: Offer
  readonly #today: string
  readonly #displayName: (offer: Offer) => string

  constructor(deps: PricingDeps, market: Market, current: Offer, today: string) {
    this.#current = current
    this.#today = today
    this.#displayName = offerFactsFor(deps, market, false).displayName
  }

  write(offer: Offer): ComparedOffer {
    const { vcpus, ramGib } = offer
    return {
      ...machineName(this.#displayName(offer), offer),
      term: offer.term || null,
      vm: vcpus === null || ramGib === null ? null : { cpu_cores: vcpus, ram_gb: ramGib },
      gpu: offer.gpuCount > 0 ? { count: offer.gpuCount, name: offer.gpuName } : null,
      cost_per_hour: roundHourly(offer.pricePerHourUsd),
      cost_per_month: roundSum(monthlyPrice(offer)),
      price: this.#originOf(offer),
      machine: describeMachine(shippedFacts(), offer, offer === this.#current ? undefined : this.#current),
    }
  }

  #originOf({ source, day, provider, usageType }: Offer): PriceOrigin {
    return {
      price_source: source === marketplaceSource ? 'own' : provider === baseProvider.key ? 'base' : 'list',
      source,
      day: day || null,
      ...priceAge(day, usageType, this.#today),
    }
  }
}
