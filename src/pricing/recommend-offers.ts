import type { Catalogue } from '../catalogue/catalogue.ts'
import { NotFound } from '../domain/not-found.ts'
import type { Offer } from '../domain/offer.ts'
import { dayOf } from '../domain/time.ts'
import { buildResult, instancePricing, type RecommendationResult } from './answer/answer.ts'
import {
  type CurrentInstance,
  EncodedOffers,
  EncodeWorkspace,
  encodeResult,
  resultJson,
} from './answer/encode-answer.ts'
import { commitmentNotes, type NotesOnOffer } from './commitments/commitment-notes.ts'
import { findCheaper, findCheaperPositions } from './find-cheaper.ts'
import { type Market, marketOf, noOwnPrices, type PricingDeps } from './market.ts'
import { offerFactsFor } from './offer-facts.ts'
import { marketplaceSource } from './own-prices/own-prices.ts'
import { unknownNames } from './request/check-predicates.ts'
import { needFor, vmOf } from './request/need.ts'
import type { RecommendationRequest } from './request/request.ts'
import { scopeFor } from './request/scope-header.ts'

export { resultJson }

/** Recommends cheaper types for an instance. Returns the current one under `base`, then the cheapest types. */
export async function recommendOffers(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
): Promise<RecommendationResult | NotFound> {
  return answerIn(deps, await marketOf(deps, organisation), request)
}

type AllocateBuffer = (bytes: number) => Buffer

interface AnswerOutput {
  readonly allocate?: AllocateBuffer
  readonly onScope?: (scope: string) => void
}

/** Returns the same answer as bytes of JSON. The HTTP API uses it, which receives most requests. */
export function recommendOffersBytes(
  deps: PricingDeps,
  organisation: string,
  request: RecommendationRequest,
  { allocate = Buffer.allocUnsafeSlow, onScope }: AnswerOutput = {},
): Buffer | NotFound | Promise<Buffer | NotFound> {
  const market = marketOf(deps, organisation)
  if (request.include_metadata) return withMetadata(deps, organisation, market, request, onScope)
  return market instanceof Promise
    ? market.then((there) => bytesOf(deps, there, request, allocate, onScope))
    : bytesOf(deps, market, request, allocate, onScope)
}

async function withMetadata(
  deps: PricingDeps,
  organisation: string,
  market: Market | Promise<Market>,
  request: RecommendationRequest,
  onScope: AnswerOutput['onScope'],
): Promise<Buffer | NotFound> {
  const there = await market
  const commitments = await commitmentNotes(deps, there, organisation, dayOf(Date.now()))
  const answer = answerIn(deps, there, request, onScope, commitments)
  return answer instanceof NotFound ? answer : Buffer.from(resultJson(answer))
}

function bytesOf(
  deps: PricingDeps,
  market: Market,
  request: RecommendationRequest,
  allocate: AllocateBuffer,
  onScope: AnswerOutput['onScope'],
): Buffer | NotFound {
  const asked = needFor(deps, market, request)
  if (asked instanceof NotFound) return asked
  const { current, need, scope } = asked
  const found = findCheaperPositions(market, need)
  onScope?.(scopeFor(request, scope, namesWithoutOffers(deps, market, request, found.types)))
  const { offers, workspace } = encodedFor(deps, market)
  return encodeResult(current, baseOf(deps, market, request, current), found, { offers, workspace, allocate })
}

function answerIn(
  deps: PricingDeps,
  market: Market,
  request: RecommendationRequest,
  onScope?: AnswerOutput['onScope'],
  commitments?: NotesOnOffer,
): RecommendationResult | NotFound {
  const asked = needFor(deps, market, request)
  if (asked instanceof NotFound) return asked
  const { current, need, scope } = asked
  const found = findCheaper(market, need)
  onScope?.(scopeFor(request, scope, namesWithoutOffers(deps, market, request, found.length)))
  const facts = offerFactsFor(deps, market, request.include_metadata ?? false, current, request, commitments)
  return buildResult(current, vmOf(request), found, facts)
}

/** Without candidates, a mistyped name would read as "nothing is cheaper". */
const namesWithoutOffers = (
  deps: PricingDeps,
  market: Market,
  { predicates }: RecommendationRequest,
  found: number,
): string[] => (found > 0 || predicates === undefined ? [] : unknownNames(deps, market, predicates))

/** If the price list does not have the current size, the size given by the caller is used. */
function baseOf(
  deps: PricingDeps,
  market: Market,
  request: RecommendationRequest,
  current: Offer,
): CurrentInstance {
  const { position, source, vcpus, ramGib } = current
  const isListed = position !== undefined && source !== marketplaceSource && vcpus !== null && ramGib !== null
  if (isListed) return position
  return JSON.stringify(instancePricing(current, vmOf(request), offerFactsFor(deps, market, false)))
}

interface EncodedMarket {
  readonly offers: readonly EncodedOffers[]
  readonly own: WeakMap<Catalogue, EncodedOffers>
  readonly workspace: EncodeWorkspace
}

/** Keyed by the built-in catalogue, so that the encoded offers are collected together with it. */
const encodedMarkets = new WeakMap<Catalogue, EncodedMarket>()

function encodedFor(deps: PricingDeps, market: Market): Pick<EncodedMarket, 'offers' | 'workspace'> {
  const encode = (catalogue: Catalogue, maxBytes: number) => {
    const facts = offerFactsFor(deps, { ...market, own: noOwnPrices }, false)
    return new EncodedOffers(facts, (position) => catalogue.offer(position), maxBytes)
  }
  let encoded = encodedMarkets.get(market.catalogue)
  if (encoded === undefined) {
    const offers = [encode(market.catalogue, maxBytesBuiltIn)]
    encoded = { offers, own: new WeakMap(), workspace: new EncodeWorkspace() }
    encodedMarkets.set(market.catalogue, encoded)
  }
  const { offers, own, workspace } = encoded
  const { catalogues } = market.own
  if (catalogues.length === 0) return encoded
  const ofOwn = (catalogue: Catalogue) =>
    own.getOrInsertComputed(catalogue, () => encode(catalogue, maxBytesOfOwn))
  return { offers: [...offers, ...catalogues.map(ofOwn)], workspace }
}

/** About 500 bytes per offer. Own prices are spread over many catalogues with a few offers each. */
const maxBytesBuiltIn = 8 * 1024 * 1024
const maxBytesOfOwn = 256 * 1024
