import { type Catalogue, searchAll } from '../catalogue/catalogue.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { type Answer, answerOf, type Facts } from '../pricing/answer.ts'
import { answerText, writeAnswer } from '../pricing/answer-text.ts'
import { defaultTarget, requirement } from '../pricing/requirement.ts'
import { monthOf } from '../pricing/savings.ts'
import { type WrittenOffer, WrittenOffers, writeOffer } from '../pricing/written-offers.ts'
import { ownSource } from './own-prices.ts'
import { type Market, marketOf, noOwnPrices, type PricingDeps } from './pricing/deps.ts'
import { factsOf } from './pricing/facts.ts'
import { findCurrent } from './pricing/find-current.ts'
import { parsePredicates } from './pricing/parse.ts'
import { defaultLimit, defaultOffersPerType, type RecommendationRequest } from './pricing/request.ts'

/** Where the instance described would cost less: the current one under `base`, then the cheapest types. */
export async function recommendOffers(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
): Promise<Answer> {
  const market = await marketOf(deps, organisation)
  const { current, vm, found } = search(deps, market, request)
  return answerOf(current, vm, found, factsOf(deps, market, request.include_metadata ?? false))
}

/** The same as JSON text, for the door through which most requests come. */
export async function recommendOffersText(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
): Promise<string> {
  const market = await marketOf(deps, organisation)
  const { current, vm, found } = search(deps, market, request)
  const facts = factsOf(deps, market, request.include_metadata ?? false)
  if (request.include_metadata) return answerText(answerOf(current, vm, found, facts))
  return writeAnswer(current, vm, found, facts, offersWritten(deps, market, facts))
}

function search(deps: PricingDeps, { catalogue, own }: Market, request: RecommendationRequest) {
  const limits = parsePredicates(request.predicates, deps.findProvider)
  const current = findCurrent(deps, { catalogue, own }, request)
  const found = searchAll([catalogue, ...own.catalogues], needOf(request, current, limits))
  return { current, found, vm: { vcpus: request.vm.cpu_cores, ramGib: request.vm.ram_gb } }
}

const written = new WeakMap<Catalogue, WrittenOffers>()

/** Own prices are written anew each time: they are few, and another organisation's must not come back. */
function offersWritten(deps: PricingDeps, market: Market, facts: Facts): (offer: Offer) => WrittenOffer {
  let builtIn = written.get(market.catalogue)
  if (builtIn === undefined) {
    builtIn = new WrittenOffers(factsOf(deps, { ...market, own: noOwnPrices }, false))
    written.set(market.catalogue, builtIn)
  }
  const once = builtIn
  if (market.own.entries === 0) return (offer) => once.of(offer)
  return (offer) => (offer.source === ownSource ? writeOffer(offer, facts) : once.of(offer))
}

/** What the caller says of the machine's size rules, where the price list says otherwise. */
function needOf(
  request: RecommendationRequest,
  current: Offer,
  { predicates, architectures }: ReturnType<typeof parsePredicates>,
): Need {
  const { usage, vm, target_utilisation: target } = request
  const required = requirement(
    { vcpus: usage.cpu_cores, ramGib: usage.ram_gb },
    { vcpus: vm.cpu_cores, ramGib: vm.ram_gb },
    { cpu: target?.cpu ?? defaultTarget.cpu, ram: target?.ram ?? defaultTarget.ram },
  )
  const allowed = architectures ?? (current.architecture === '' ? undefined : [current.architecture])
  return {
    ...required,
    sustainedVcpus: usage.cpu_cores,
    operatingSystem: current.operatingSystem,
    ...(allowed && { architectures: allowed }),
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthOf(current),
    predicates,
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  }
}
