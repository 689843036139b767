import { searchAll } from '../../catalogue/catalogue.ts'
import type { FoundType, Need } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { Problem } from '../../domain/problem.ts'
import { completeRequest, type PartialRequest } from '../../market/complete-request.ts'
import { type ComputePredicates, restrict } from '../../market/compute-predicates.ts'
import { type ComputePrice, computePrice } from '../../market/compute-price.ts'
import { type Market, marketOf, type PricingDeps } from '../../market/market.ts'
import { accountZoneOf } from '../../market/names.ts'
import { needFor } from '../../market/need.ts'
import { offerFactsFor } from '../../market/offer-facts.ts'
import {
  maxGroups,
  maxOffersPerType,
  type RecommendationRequest,
  type Resources,
} from '../../market/request.ts'
import { scopeFor } from '../../market/scope-header.ts'
import { buildResultOf, type ResultItem } from '../../pricing/answer.ts'
import { type Savings, savingsBetween } from '../../pricing/savings.ts'
import { type ComputeInstance, toDescription, withInstancePointers } from './price-compute.ts'

/** The request of POST /recommendations, with the instance in a member of its own. */
export interface ComputeQuestion
  extends Pick<
    PartialRequest,
    'usage' | 'include_metadata' | 'performance' | 'target_utilisation' | 'limit' | 'offers_per_type'
  > {
  readonly instance: ComputeInstance
  readonly predicates?: ComputePredicates
}

/** `vm` is absent if the contract's item has null. */
type ComputeItem = Omit<ResultItem<ComputePrice>, 'vm'> & {
  readonly vm?: Resources
}

/** Returns the current instance under `base`, then the cheapest types. */
export async function recommendCompute(
  deps: PricingDeps,
  organisation: string,
  question: ComputeQuestion,
  onScope?: (scope: string) => void,
): Promise<(readonly [label: string, items: readonly ComputeItem[]])[]> {
  return withInstancePointers(async () => {
    const search = await prepare(deps, organisation, question)
    const { market, request, current, need, scope, accepts, mayRefuse, facts, zoneAsked } = search
    onScope?.(scopeFor(request, scope))
    const wanted = mayRefuse ? { ...need, ...maxFound } : need
    const found =
      accepts === undefined
        ? []
        : cut(kept(searchAll(catalogues(market), wanted), accepts), need.limit, need.offersPerType)
    const { cpu_cores: vcpus, ram_gb: ramGib } = request.vm
    const priced = (offer: Offer, size: { vcpus: number; ramGib: number }) =>
      computePrice(offer, size, facts, offer === current ? request.availability_zone : zoneAsked(offer))
    const result = buildResultOf(current, { vcpus, ramGib }, found, facts, priced)
    return result.map(([label, items]) => [label, items.map(withoutNull)] as const)
  })
}

const withoutNull = ({ instance_pricing, vm, savings }: ResultItem<ComputePrice>): ComputeItem => ({
  instance_pricing,
  ...(vm === null ? {} : { vm }),
  savings,
})

export interface CheapestOfProvider {
  readonly pricing: ComputePrice
  readonly savings: Savings
}

/** Returns the cheapest offer of each provider, cheapest first. */
export async function cheapestByProvider(
  deps: PricingDeps,
  organisation: string,
  question: ComputeQuestion,
): Promise<CheapestOfProvider[]> {
  return withInstancePointers(async () => {
    const { market, current, need, accepts, facts, zoneAsked } = await prepare(deps, organisation, question)
    if (accepts === undefined) return []
    const named = need.predicates.providers?.map((name) => name.toLowerCase())
    const listed = deps.providers.filter(({ key }) => named?.includes(key) ?? true)
    const found = listed.flatMap(({ key }) => searchAll([market.catalogue], cheapestOf(need, key)))
    const own = searchAll(market.own.catalogues, { ...need, ...maxFound })
    const best = new Map<string, Offer>()
    for (const offer of kept([...found, ...own], accepts).flatMap(({ offers }) => offers)) {
      const known = best.get(offer.provider)
      if (known === undefined || offer.pricePerHourUsd < known.pricePerHourUsd)
        best.set(offer.provider, offer)
    }
    return [...best.values()]
      .sort((a, b) => a.pricePerHourUsd - b.pricePerHourUsd || (a.provider < b.provider ? -1 : 1))
      .flatMap((offer) => {
        const savings = savingsBetween(current, offer)
        const size = { vcpus: offer.vcpus!, ramGib: offer.ramGib! }
        return savings === null
          ? []
          : [{ pricing: computePrice(offer, size, facts, zoneAsked(offer)), savings }]
      })
  })
}

export const nothingCheaper = (): Problem =>
  new Problem('not-found', 'No comparable instance of any provider costs less.')

async function prepare(deps: PricingDeps, organisation: string, question: ComputeQuestion) {
  const { instance, predicates = {}, ...rest } = question
  const market = await marketOf(deps, organisation)
  const { limits, accepts, mayRefuse, operatingSystem } = restrict(deps, market, predicates)
  const request: RecommendationRequest = await completeRequest(deps, organisation, {
    ...toDescription(deps, instance),
    ...rest,
    predicates: limits,
  })
  const { current, need, scope } = needFor(deps, market, request)
  const system = operatingSystem(current.operatingSystem)
  const facts = offerFactsFor(deps, market, request.include_metadata ?? false, current, request)
  const zones = limits.availability_zones ?? []
  return {
    market,
    request,
    current,
    need: { ...need, operatingSystem: system },
    scope,
    accepts,
    mayRefuse,
    facts,
    zoneAsked: (offer: Offer) => accountZoneOf(deps.providers, offer, zones),
  }
}

const catalogues = ({ catalogue, own }: Market) => [catalogue, ...own.catalogues]

const cheapestOf = <Wanted extends Need>(need: Wanted, provider: string): Wanted => ({
  ...need,
  predicates: { ...need.predicates, providers: [provider] },
  limit: 1,
  offersPerType: 1,
})

const maxFound = { limit: maxGroups, offersPerType: maxOffersPerType }

const cut = (found: readonly FoundType[], types: number, offers: number): FoundType[] =>
  found.slice(0, types).map((type) => ({ ...type, offers: type.offers.slice(0, offers) }))

const kept = (found: readonly FoundType[], accepts: (offer: Offer) => boolean): FoundType[] =>
  found.flatMap(({ instanceType, offers }) => {
    const left = offers.filter(accepts)
    return left.length === 0 ? [] : [{ instanceType, offers: left }]
  })
