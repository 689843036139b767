import { describeMachine } from '../../catalogue/facts/describe-machine.ts'
import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import { roundHourly, roundSum } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { monthlyPrice } from '../answer/savings.ts'
import type { Market, PricingDeps } from '../market.ts'
import { offerFactsFor } from '../offer-facts.ts'
import { priceSourceOf } from '../price-source.ts'
import { machineName, priceAge } from './comparison.ts'
import type { ComparedOffer, PriceOrigin } from './schema.ts'

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

  #originOf(offer: Offer): PriceOrigin {
    const { source, day, usageType, priceRules } = offer
    return {
      price_source: priceSourceOf(offer),
      ...(priceRules === undefined ? {} : { price_rules: priceRules }),
      source,
      day: day || null,
      ...priceAge(day, usageType, this.#today),
    }
  }
}
