import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Need } from '../../domain/need.ts'
import { type Offer, termLength } from '../../domain/offer.ts'
import { cataloguesOf } from '../find-cheaper.ts'
import type { Market, PricingDeps } from '../market.ts'
import type { Effort } from './comparison.ts'

export interface CandidateSearch {
  readonly effort: Effort
  readonly why: string
  readonly need: Need
  readonly accepts?: (offer: Offer) => boolean
  readonly perTerm?: boolean
}

/** Returns the searches in order of effort. None of them finds what the caller's predicates rule out. */
export function candidateSearches(
  deps: PricingDeps,
  market: Market,
  current: Offer,
  asked: Need,
  anywhere: boolean,
): CandidateSearch[] {
  const basis = searchBasis(current, asked)
  const others = otherProviders(deps, market, current.provider).filter(basis.isWanted)
  return [
    resizeSearch(basis),
    regionSearch(basis),
    providerSearch(basis, others),
    commitSearch(basis),
    spotSearch(basis),
    anywhere ? anywhereSearch(basis) : undefined,
  ].filter((search) => search !== undefined)
}

interface SearchBasis {
  readonly current: Offer
  readonly need: Need
  readonly own: Need
  readonly here: Need
  readonly ownLength: string | undefined
  /** Where candidates are, as the end of a phrase. */
  readonly where: string
  isWanted(provider: string): boolean
  readonly isWantedHere: boolean
}

function searchBasis(current: Offer, asked: Need): SearchBasis {
  const { provider, region } = current
  const ownLength = current.term === '' ? undefined : termLength(current.term)
  // A term of another length is another commitment, not another size.
  const need: Need = { ...asked, termLength: ownLength }
  const own: Need = { ...need, predicates: { ...need.predicates, providers: [provider] } }
  const here: Need = { ...own, near: undefined, predicates: { ...own.predicates, regions: [region] } }
  const where = need.near === undefined ? '' : need.near.area === '' ? ' nearby' : ' on the same continent'
  const wanted = need.predicates.providers?.map((name) => name.toLowerCase())
  const isWanted = (name: string): boolean => wanted?.includes(name.toLowerCase()) ?? true
  const isWantedHere =
    isWanted(provider) &&
    (need.predicates.regions?.some((name) => same(name, region)) ?? true) &&
    isNear(need.near, current)
  return { current, need, own, here, ownLength, where, isWanted, isWantedHere }
}

function resizeSearch({ current, need, here, isWantedHere }: SearchBasis): CandidateSearch | undefined {
  if (!isWantedHere) return undefined
  const isPaidTheSame = need.predicates.usageTypes?.includes(current.usageType) ?? true
  return {
    effort: 'resize',
    why: isPaidTheSame
      ? 'The same provider, region and way of paying; another size or type.'
      : 'The same provider and region; another size, type or way of paying.',
    need: isPaidTheSame ? paidAs(here, current.usageType) : here,
  }
}

function regionSearch({ current, own, where, isWanted }: SearchBasis): CandidateSearch | undefined {
  if (!isWanted(current.provider)) return undefined
  return {
    effort: 'region',
    why: `The same provider in another region${where}; data has to be moved.`,
    need: own,
    accepts: (offer) => !isSamePlace(offer, current),
  }
}

function providerSearch(
  { need, where }: SearchBasis,
  providers: readonly string[],
): CandidateSearch | undefined {
  if (providers.length === 0) return undefined
  return {
    effort: 'provider',
    why: `Another provider${where}; the machine has to be set up again.`,
    need: { ...need, predicates: { ...need.predicates, providers } },
  }
}

function commitSearch({ current, here, ownLength, isWantedHere }: SearchBasis): CandidateSearch | undefined {
  if (!isWantedHere || (current.usageType !== 'ONDEMAND' && ownLength === undefined)) return undefined
  return {
    effort: 'commit',
    why: 'The same place, with a commitment for 1 or 3 years, paid whether the machine runs or not.',
    need: { ...paidAs(here, 'RESERVED'), termLength: undefined },
    perTerm: true,
    ...(ownLength && { accepts: ({ term }: Offer) => termLength(term) !== ownLength }),
  }
}

function spotSearch({ current, need, here, isWantedHere }: SearchBasis): CandidateSearch | undefined {
  if (current.usageType === 'SPOT_PREEMPTIBLE') return undefined
  return {
    effort: 'spot',
    why: 'The same place as a spot instance, which the provider can reclaim at any time.',
    need: paidAs(isWantedHere ? here : need, 'SPOT_PREEMPTIBLE'),
    accepts: savesAsSpot,
  }
}

const anywhereSearch = ({ current, need }: SearchBasis): CandidateSearch => ({
  effort: 'anywhere',
  why: 'Any public region of any provider, regardless of distance and jurisdiction.',
  need: { ...need, near: undefined },
  accepts: (offer) => isOpen(offer) && !isSamePlace(offer, current),
})

const paidAs = (need: Need, usage: Offer['usageType']): Need => ({
  ...need,
  predicates: { ...need.predicates, usageTypes: [usage] },
})

const isSamePlace = (offer: Offer, { provider, region }: Offer): boolean =>
  offer.provider === provider && offer.region === region

/**
 * Whether the current region is near. If a distance is given, near regions are listed; otherwise the current region is
 * always near. Regions of unknown location are always near.
 */
function isNear(near: Need['near'], { provider, region }: Offer): boolean {
  if (near === undefined || near.area !== '') return true
  const isListed = near.places.some((place) => place.provider === provider && place.region === region)
  return isListed || shippedFacts().places.find(provider, region) === undefined
}

function otherProviders({ providers }: PricingDeps, market: Market, provider: string): string[] {
  const names = [
    ...providers.map(({ key }) => key),
    ...cataloguesOf(market).flatMap((c) => c.facets().map((facets) => facets.provider)),
  ]
  return [...new Set(names)].filter((name) => name !== provider)
}

/** If the provider itself reports that spot saves nothing, a cheap spot price will not last. */
function savesAsSpot({ provider, region, operatingSystem, instanceType }: Offer): boolean {
  return shippedFacts().machines.spotSaves(provider, region, operatingSystem, instanceType)
}

function isOpen({ provider, region }: Offer): boolean {
  const place = shippedFacts().places.find(provider, region)
  return place === undefined || place.partition === 'commercial'
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
