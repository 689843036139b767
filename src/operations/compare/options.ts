import { searchAll } from '../../catalogue/catalogue.ts'
import type { Need } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { savingsBetween } from '../../pricing/savings.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import type { ComparedCandidate, Option } from './comparison.ts'
import type { OfferWriter } from './offer-writer.ts'
import { type Plan, plansFor } from './plans.ts'

export interface OptionLimits {
  /** Whether regions of other continents are compared too. */
  readonly anywhere?: boolean
  readonly offersPerEffort?: number | undefined
}

/** What costs less than the current offer and meets the need, by effort; an effort without such an offer is left out. */
export function optionsFor(
  deps: PricingDeps,
  market: Market,
  current: Offer,
  need: Need,
  writer: OfferWriter,
  { anywhere = false, offersPerEffort = defaultOffers }: OptionLimits = {},
): Option[] {
  const options: Option[] = []
  for (const plan of plansFor(deps, market, current, need, anywhere)) {
    const offers = candidatesOf(market, current, worthwhile(plan, options), writer, offersPerEffort)
    if (offers.length > 0) options.push({ effort: plan.effort, why: plan.why, offers })
  }
  return options
}

const defaultOffers = 5
/** Enough to find the cheapest of each term among them. */
const mostFound = 50

/** A percent less. */
const worthMoving = 0.99

/** Nobody moves data for nothing: another region has to cost less than what is to be had for less effort. */
function worthwhile(plan: Plan, before: readonly Option[]): Plan {
  if (plan.effort !== 'region' && plan.effort !== 'anywhere') return plan
  const cheapest = before
    .filter(({ effort }) => effort !== 'commit' && effort !== 'spot')
    .flatMap(({ offers }) => offers.map((offer) => offer.cost_per_hour))
  const belowPerHourUsd = Math.min(plan.need.belowPerHourUsd, ...cheapest.map((usd) => usd * worthMoving))
  return { ...plan, need: { ...plan.need, belowPerHourUsd } }
}

function candidatesOf(
  { catalogue, own }: Market,
  current: Offer,
  { need, accepts, perTerm }: Plan,
  writer: OfferWriter,
  most: number,
): ComparedCandidate[] {
  const found = searchAll([catalogue, ...own.catalogues], {
    ...need,
    limit: accepts === undefined && !perTerm ? most : mostFound,
    offersPerType: accepts === undefined && !perTerm ? 1 : mostFound,
  })
  const accepted = found.map(({ offers }) => offers.filter((offer) => accepts?.(offer) ?? true))
  const offers = perTerm
    ? bestOfEachTerm(accepted.flat(), most)
    : accepted.flatMap(([offer]) => offer ?? []).slice(0, most)
  return offers.flatMap((offer): ComparedCandidate[] => {
    const savings = savingsBetween(current, offer)
    return savings === null ? [] : [{ ...writer.write(offer), savings }]
  })
}

/** Types in the order of price, term by term. */
function bestOfEachTerm(offers: readonly Offer[], most: number): Offer[] {
  const byTerm = Map.groupBy(offers, ({ term }) => term)
  return [...byTerm.keys()].sort().flatMap((term) => {
    const seen = new Set<string>()
    return byTerm
      .get(term)!
      .toSorted((a, b) => a.pricePerHourUsd - b.pricePerHourUsd)
      .filter(({ provider, instanceType }) => seen.size < seen.add(`${provider}\n${instanceType}`).size)
      .slice(0, Math.max(1, Math.ceil(most / 2)))
  })
}
