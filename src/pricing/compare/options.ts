import { distanceKm } from '../../catalogue/facts/places.ts'
import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Need } from '../../domain/need.ts'
import { isReservation, type Offer } from '../../domain/offer.ts'
import { monthlyPrice, savingsBetween } from '../answer/savings.ts'
import { findCheaper } from '../find-cheaper.ts'
import type { Market, PricingDeps } from '../market.ts'
import { type CandidateSearch, candidateSearches } from './candidate-searches.ts'
import { type CommittedMachine, committedFirst } from './committed-first.ts'
import type { Effort } from './comparison.ts'
import { examinedTypes, fasterFirst } from './faster-first.ts'
import type { OfferWriter } from './offer-writer.ts'
import type { ComparedCandidate, ComparisonOption } from './schema.ts'

interface OptionLimits {
  readonly anywhere?: boolean
  readonly offersPerEffort?: number | undefined
  readonly efforts?: readonly Effort[]
  readonly committed?: CommittedMachine | undefined
}

/**
 * Returns the offers that cost less than the current one and meet the need, by effort. An effort without
 * such an offer is left out.
 */
export function optionsFor(
  deps: PricingDeps,
  market: Market,
  current: Offer,
  need: Need,
  writer: OfferWriter,
  { anywhere = false, offersPerEffort = defaultOffers, efforts, committed }: OptionLimits = {},
): ComparisonOption[] {
  const options: ComparisonOption[] = []
  for (const search of candidateSearches(deps, market, current, need, anywhere)) {
    if (efforts?.includes(search.effort) === false) continue
    const offers = candidatesOf(
      market,
      current,
      worthwhile(search, options),
      writer,
      offersPerEffort,
      committed,
    )
    if (offers.length > 0) options.push({ effort: search.effort, why: search.why, offers })
  }
  return options
}

const defaultOffers = 5
/** How many types are searched if not every offer is accepted: enough to find the cheapest of each term among them. */
const searchedTypes = 50
/** A type costs the same in at most this many regions of a continent. */
const equalOffers = 12
/** Enough for all terms, zones and nearby regions of a type. */
const maxOffers = 50

/** A candidate must cost a percent less: nobody changes a machine for cents a month. */
export const maxWorthwhilePriceRatio = 0.99

/** Another region must cost less than everything that takes less effort, because nobody moves data for nothing. */
function worthwhile(search: CandidateSearch, before: readonly ComparisonOption[]): CandidateSearch {
  const isFarther = search.effort === 'region' || search.effort === 'anywhere'
  const easier = before
    .filter(({ effort }) => isFarther && effort !== 'commit' && effort !== 'spot')
    .flatMap(({ offers }) => offers.map((offer) => offer.cost_per_hour))
  const belowPerHourUsd = maxWorthwhilePriceRatio * Math.min(search.need.belowPerHourUsd, ...easier)
  return { ...search, need: { ...search.need, belowPerHourUsd } }
}

function candidatesOf(
  market: Market,
  current: Offer,
  { need, accepts, perTerm }: CandidateSearch,
  writer: OfferWriter,
  most: number,
  committed: CommittedMachine | undefined,
): ComparedCandidate[] {
  const { provider, instanceType } = current
  const offers = perTerm
    ? bestOfEachTerm(
        [...offersByType(market, need, searchedTypes, maxOffers), ...ofSameType()].flat(),
        accepts,
        current,
        most,
      )
    : committedFirst(
        current,
        bestOffers(market, current, need, Math.max(most, committed?.examined ?? 0), accepts),
        committed,
      ).slice(0, most)
  return offers.flatMap((offer): ComparedCandidate[] => {
    const savings = savingsBetween(current, offer)
    const commitments = committed?.saving(offer)
    return savings === null ? [] : [{ ...writer.write(offer), savings, ...(commitments && { commitments }) }]
  })

  /** A type that is named in a predicate passes even if it has an end date, but nobody commits to such a type. */
  function ofSameType(): readonly (readonly Offer[])[] {
    const { rules } = market.catalogue
    if (!rules.traitsOf(provider, instanceType).isOffered) return []
    const same = { ...need, predicates: { ...need.predicates, instanceTypes: [instanceType] } }
    const offers = offersByType(market, same, 1, maxOffers)
    return rules.isReservable(provider, instanceType)
      ? offers
      : offers.map((list) => list.filter(({ term }) => !isReservation(term)))
  }
}

/** Returns the best offers of all that meet the need and save enough of a month, one of each type. */
export function bestOffers(
  market: Market,
  current: Offer,
  need: Need,
  most: number,
  accepts?: CandidateSearch['accepts'],
): Offer[] {
  const examined = Math.max(most, examinedTypes)
  return fasterFirst(
    current,
    accepts === undefined
      ? nearestOfEach(offersByType(market, need, examined, equalOffers), current, () => true, examined)
      : nearestOfEach(offersByType(market, need, searchedTypes, maxOffers), current, accepts, examined),
  )
    .filter((offer) => monthlyPrice(offer) <= maxWorthwhilePriceRatio * monthlyPrice(current))
    .slice(0, most)
}

const offersByType = (market: Market, need: Need, limit: number, offersPerType: number) =>
  findCheaper(market, { ...need, limit, offersPerType }).map(({ offers }) => offers)

/** Returns the cheapest accepted offer of each type, and of several at the same price the nearest. */
function nearestOfEach(
  types: readonly (readonly Offer[])[],
  current: Offer,
  accepts: (offer: Offer) => boolean,
  most: number,
): Offer[] {
  const found: Offer[] = []
  for (const offers of types) {
    const first = offers.find(accepts)
    if (first === undefined) continue
    const equal = offers.filter((offer) => offer.pricePerHourUsd === first.pricePerHourUsd && accepts(offer))
    const nearest = equal.reduce((a, b) => (kmBetween(current, b) < kmBetween(current, a) ? b : a))
    if (found.push(nearest) === most) break
  }
  return found
}

/** A region of unknown location is far away. */
function kmBetween(from: Offer, to: Offer): number {
  const { places } = shippedFacts()
  const [here, there] = [places.find(from.provider, from.region), places.find(to.provider, to.region)]
  return here === undefined || there === undefined ? Number.POSITIVE_INFINITY : distanceKm(here, there)
}

/**
 * Returns the best types of each term, cheapest first, and of nearly the same price the fastest first. If there is more
 * than one, the current type is among them, because nothing has to change for it.
 */
function bestOfEachTerm(
  offers: readonly Offer[],
  accepts: CandidateSearch['accepts'],
  current: Offer,
  most: number,
): Offer[] {
  const byTerm = Map.groupBy(accepts ? offers.filter(accepts) : offers, ({ term }) => term)
  const count = Math.max(1, Math.ceil(most / 2))
  return [...byTerm.keys()].sort().flatMap((term) => {
    const seen = new Set<string>()
    const distinct = byTerm
      .get(term)!
      .toSorted((a, b) => a.pricePerHourUsd - b.pricePerHourUsd)
      .filter(({ provider, instanceType }) => seen.size < seen.add(`${provider}\n${instanceType}`).size)
    const ranked = fasterFirst(current, distinct)
    const best = ranked.slice(0, count)
    const same = ranked.slice(count).find(({ instanceType }) => instanceType === current.instanceType)
    return same === undefined || count === 1 ? best : [...best.slice(0, -1), same]
  })
}
