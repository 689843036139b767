import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { dayOf } from '../../domain/time.ts'
import { buildResultOf, type ResultItem } from '../answer/answer.ts'
import { savingsBetween } from '../answer/savings.ts'
import { commitmentNotes } from '../commitments/commitment-notes.ts'
import { findCheaper, type ReplacementNeed } from '../find-cheaper.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import { accountZoneOf } from '../names.ts'
import { offerFactsFor } from '../offer-facts.ts'
import { maxGroups, maxOffersPerType } from '../request/bounds.ts'
import { completeRequest } from '../request/complete-request.ts'
import { needFor, vmOf } from '../request/need.ts'
import type { Resources } from '../request/request.ts'
import { scopeFor } from '../request/scope-header.ts'
import { restrict } from './compute-predicates.ts'
import { computePrice } from './compute-price.ts'
import { toDescription, withInstancePointers } from './price-compute.ts'
import type { CheapestOfProvider, ComputePrice, ComputeQuestion } from './schema.ts'

/** `vm` is absent if the contract's item has null. */
type ComputeItem = Omit<ResultItem<ComputePrice>, 'vm'> & {
  readonly vm?: Resources
}

export async function recommendCompute(
  deps: PricingDeps,
  organisation: string,
  question: ComputeQuestion,
  onScope?: (scope: string) => void,
): Promise<(readonly [label: string, items: readonly ComputeItem[]])[] | NotFound> {
  const search = await prepare(deps, organisation, question)
  if (search instanceof NotFound) return withInstancePointers(search)
  const { request, current, need, facts, zoneAsked } = search
  onScope?.(scopeFor(request, search.scope))
  const priced = (offer: Offer, size: { vcpus: number; ramGib: number }) =>
    computePrice(offer, size, facts, offer === current ? request.availability_zone : zoneAsked(offer))
  const result = buildResultOf(current, vmOf(request), search.find(need), facts, priced)
  return result.map(([label, items]) => [label, items.map(withoutNull)] as const)
}

const withoutNull = ({ instance_pricing, vm, savings }: ResultItem<ComputePrice>): ComputeItem => ({
  instance_pricing,
  ...(vm === null ? {} : { vm }),
  savings,
})

export async function cheapestByProvider(
  deps: PricingDeps,
  organisation: string,
  question: ComputeQuestion,
): Promise<CheapestOfProvider[] | NotFound> {
  const search = await prepare(deps, organisation, question)
  if (search instanceof NotFound) return withInstancePointers(search)
  const { current, need, facts, zoneAsked } = search
  const named = need.predicates.providers?.map((name) => name.toLowerCase())
  const isNamed = (name: string): boolean => named?.includes(name.toLowerCase()) ?? true
  const builtIn = deps.providers.map(({ key }) => key).filter(isNamed)
  const own = search.ownProviders.filter(isNamed)
  const needs = [
    ...builtIn.map((key) => ({ ...need, ...onlyBest, predicates: { ...need.predicates, providers: [key] } })),
    ...(own.length === 0 ? [] : [{ ...need, ...most, predicates: { ...need.predicates, providers: own } }]),
  ]
  const best = new Map<string, Offer>()
  for (const { offers } of needs.flatMap(search.find))
    for (const offer of offers) {
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
}

/** Asks the question as POST /recommendations does. */
async function prepare(deps: PricingDeps, organisation: string, question: ComputeQuestion) {
  const { instance, predicates = {}, ...rest } = question
  const market = await marketOf(deps, organisation)
  const { limits, accepts, operatingSystem } = restrict(deps, market, predicates)
  const description = toDescription(deps, instance)
  if (description instanceof NotFound) return description
  const request = await completeRequest(deps, organisation, { ...description, ...rest, predicates: limits })
  if (request instanceof NotFound) return request
  const asked = needFor(deps, market, request)
  if (asked instanceof NotFound) return asked
  const { current, need, scope } = asked
  const zones = limits.availability_zones ?? []
  const notes = request.include_metadata
    ? await commitmentNotes(deps, market, organisation, dayOf(Date.now()))
    : undefined
  return {
    request,
    current,
    need: { ...need, operatingSystem: operatingSystem(current.operatingSystem) },
    scope,
    find: (wanted: ReplacementNeed) => (accepts === 'none' ? [] : findCheaper(market, wanted, accepts)),
    ownProviders: market.own.catalogues.flatMap((each) => each.facets().map(({ provider }) => provider)),
    facts: offerFactsFor(deps, market, request.include_metadata ?? false, current, request, notes),
    zoneAsked: (offer: Offer) => accountZoneOf(deps.providers, offer, zones),
  }
}

const onlyBest = { limit: 1, offersPerType: 1 }
const most = { limit: maxGroups, offersPerType: maxOffersPerType }
