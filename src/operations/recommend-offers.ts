import { type Catalogue, searchAll } from '../catalogue/catalogue.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { type Answer, answerOf } from '../pricing/answer.ts'
import { answerText, writeAnswer } from '../pricing/answer-text.ts'
import { defaultTarget, requirement } from '../pricing/requirement.ts'
import { monthOf } from '../pricing/savings.ts'
import { WrittenAnswers } from '../pricing/written-answers.ts'
import { WrittenOffers, writeOffer } from '../pricing/written-offers.ts'
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

/** The same as the bytes of JSON text, for the door through which most requests come. */
export function recommendOffersBytes(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
): Uint8Array | Promise<Uint8Array> {
  const market = marketOf(deps, organisation)
  return market instanceof Promise
    ? market.then((there) => bytesOf(deps, there, request))
    : bytesOf(deps, market, request)
}

function bytesOf(deps: PricingDeps, market: Market, request: RecommendationRequest): Uint8Array {
  const { current, vm, found } = search(deps, market, request)
  if (request.include_metadata) {
    return Buffer.from(answerText(answerOf(current, vm, found, factsOf(deps, market, true))))
  }
  const before = writtenBefore(deps, market)
  // Own prices are one organisation's, and where the price list does not know the current size, the caller's word stands in.
  const isAnybodys = market.own.entries === 0 && current.vcpus !== null && current.ramGib !== null
  const known = isAnybodys ? before.answers.find(current, found) : undefined
  if (known !== undefined) return known
  const facts = factsOf(deps, market, false)
  const bytes = writeAnswer(current, vm, found, facts, {
    // Own prices are written anew each time: they are few, and another organisation's must not come back.
    writtenOf: (offer) =>
      market.own.entries > 0 && offer.source === ownSource
        ? writeOffer(offer, facts)
        : before.offers.of(offer),
    allocate: Buffer.allocUnsafeSlow,
  })
  if (isAnybodys) before.answers.keep(current, found, bytes)
  return bytes
}

function search(deps: PricingDeps, { catalogue, own }: Market, request: RecommendationRequest) {
  const limits = parsePredicates(request.predicates, deps.findProvider)
  const current = findCurrent(deps, { catalogue, own }, request)
  const found = searchAll([catalogue, ...own.catalogues], needOf(request, current, limits))
  return { current, found, vm: { vcpus: request.vm.cpu_cores, ramGib: request.vm.ram_gb } }
}

interface Before {
  readonly offers: WrittenOffers
  readonly answers: WrittenAnswers
}

/** What was written before of a catalogue; an old catalogue takes its own with it. */
const written = new WeakMap<Catalogue, Before>()

function writtenBefore(deps: PricingDeps, market: Market): Before {
  let before = written.get(market.catalogue)
  if (before === undefined) {
    const facts = factsOf(deps, { ...market, own: noOwnPrices }, false)
    before = { offers: new WrittenOffers(facts), answers: new WrittenAnswers() }
    written.set(market.catalogue, before)
  }
  return before
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
