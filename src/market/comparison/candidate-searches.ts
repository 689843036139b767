import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Need } from '../../domain/need.ts'
import { type Offer, termLength } from '../../domain/offer.ts'
import type { Market, PricingDeps } from '../market.ts'
import type { Effort } from './comparison.ts'

/** One search for candidates that take the same effort. */
export interface CandidateSearch {
  readonly effort: Effort
  readonly why: string
  readonly need: Need
  /** Conditions that predicates cannot express. */
  readonly accepts?: (offer: Offer) => boolean
  /** Whether the cheapest offers of each term are wanted. */
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
  const { provider, region, usageType } = current
  const ownLength = current.term === '' ? undefined : termLength(current.term)
  // A term of another length is another commitment, not another size.
  const need: Need = { ...asked, termLength: ownLength }
  const isHere = (offer: Offer): boolean => offer.provider === provider && offer.region === region
  const own: Need = { ...need, predicates: { ...need.predicates, providers: [provider] } }
  const here: Need = {
    ...own,
    near: undefined,
    predicates: { ...own.predicates, regions: [region] },
  }
  const paid = (of: Need, usage: Offer['usageType']): Need => ({
    ...of,
    predicates: { ...of.predicates, usageTypes: [usage] },
  })
  const others = otherProviders(deps, market, provider)
  const wanted = need.predicates.providers?.map((name) => name.toLowerCase())
  const isWanted = (name: string): boolean => wanted?.includes(name.toLowerCase()) ?? true
  const isWantedHere =
    isWanted(provider) &&
    (need.predicates.regions?.some((name) => same(name, region)) ?? true) &&
    isNear(need.near, current)
  const isPaidTheSame = need.predicates.usageTypes?.every((usage) => usage === usageType) ?? false
  const where = need.near === undefined ? '' : need.near.area === '' ? ' nearby' : ' on the same continent'
  const searches: CandidateSearch[] = []
  if (isWantedHere)
    searches.push({
      effort: 'resize',
      why: isPaidTheSame
        ? 'The same provider, region and way of paying; another size or type.'
        : 'The same provider and region; another size, type or way of paying.',
      need: here,
    })
  if (isWanted(provider))
    searches.push({
      effort: 'region',
      why: `The same provider in another region${where}; data has to be moved.`,
      need: own,
      accepts: (offer) => !isHere(offer),
    })
  const named = others.filter(isWanted)
  if (named.length > 0)
    searches.push({
      effort: 'provider',
      why: `Another provider${where}; the machine has to be set up again.`,
      need: { ...need, predicates: { ...need.predicates, providers: named } },
    })
  if ((usageType === 'ONDEMAND' || ownLength !== undefined) && isWantedHere)
    searches.push({
      effort: 'commit',
      why: 'The same place, with a commitment for 1 or 3 years, paid whether the machine runs or not.',
      need: { ...paid(here, 'RESERVED'), termLength: undefined },
      perTerm: true,
      ...(ownLength && { accepts: ({ term }: Offer) => termLength(term) !== ownLength }),
    })
  if (usageType !== 'SPOT_PREEMPTIBLE')
    searches.push({
      effort: 'spot',
      why: 'The same place as a spot instance, which the provider can reclaim at any time.',
      need: paid(isWantedHere ? here : need, 'SPOT_PREEMPTIBLE'),
      accepts: savesAsSpot,
    })
  if (anywhere)
    searches.push({
      effort: 'anywhere',
      why: 'Any public region of any provider, regardless of distance and jurisdiction.',
      need: { ...need, near: undefined },
      accepts: (offer) => isOpen(offer) && !isHere(offer),
    })
  return searches
}

/**
 * Whether the current region is near. If a distance is given, near regions are listed; otherwise the current region is
 * always near. Regions of unknown location are always near.
 */
function isNear(near: Need['near'], { provider, region }: Offer): boolean {
  if (near === undefined || near.area !== '') return true
  const isListed = near.places.some((place) => place.provider === provider && place.region === region)
  return isListed || shippedFacts().places.find(provider, region) === undefined
}

function otherProviders({ providers }: PricingDeps, { catalogue, own }: Market, provider: string): string[] {
  const names = [
    ...providers.map(({ key }) => key),
    ...[catalogue, ...own.catalogues].flatMap((c) => c.facets().map((facets) => facets.provider)),
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
