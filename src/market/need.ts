import type { Catalogue } from '../catalogue/catalogue.ts'
import { shippedFacts } from '../catalogue/shipped-facts.ts'
import { type Comparability, comparabilityOf, type TypeTraits } from '../domain/comparability.ts'
import { round } from '../domain/money.ts'
import type { Near, Need, Predicates } from '../domain/need.ts'
import { type Offer, termLength, type UsageType } from '../domain/offer.ts'
import { distanceKm, type KnownPlace } from '../machines/places.ts'
import type { Size } from '../pricing/current-offer.ts'
import { monthlyPrice } from '../pricing/savings.ts'
import { currentTraits, findCurrent } from './find-current.ts'
import type { Market, PricingDeps } from './market.ts'
import { resolveRegions, resolveZones } from './names.ts'
import { invalidField } from './not-found.ts'
import { marketplaceSource } from './own-prices.ts'
import {
  defaultLimit,
  defaultOffersPerType,
  type Limits,
  noLimits,
  parsePredicates,
  type RecommendationRequest,
} from './request.ts'

/** Returns the offer of the current instance, and what may replace it. */
export function needFor(deps: PricingDeps, market: Market, request: RecommendationRequest) {
  const limits = withResolvedZones(deps, market, parsePredicates(request.predicates, deps.findProvider))
  const current = findCurrent(deps, market, request)
  const { scope, traits } =
    limits === noLimits
      ? defaultScopeAndTraits(market.catalogue, current)
      : scopeAndTraits(market.catalogue, current, limits)
  return { current, need: needOf(request, current, scope, traits), scope }
}

/** What candidates are compared with, apart from size and price. */
interface ScopeAndTraits {
  readonly scope: SearchScope
  readonly traits: TypeTraits
}

const scopeAndTraits = (catalogue: Catalogue, current: Offer, limits: Limits): ScopeAndTraits => ({
  scope: scopeOf(catalogue, current, limits),
  traits: currentTraits(catalogue, current),
})

/** The same for requests without predicates, which most are: it then depends only on the current offer. */
function defaultScopeAndTraits(catalogue: Catalogue, current: Offer): ScopeAndTraits {
  const { position, source } = current
  if (position === undefined || source === marketplaceSource)
    return scopeAndTraits(catalogue, current, noLimits)
  const known = defaults.getOrInsertComputed(catalogue, () => new Map())
  const found = known.get(position)
  if (found !== undefined) return found
  if (known.size >= maxDefaults) known.clear()
  const computed = scopeAndTraits(catalogue, current, noLimits)
  known.set(position, computed)
  return computed
}

/** By catalogue and by the position of the current offer in it. */
const defaults = new WeakMap<Catalogue, Map<number, ScopeAndTraits>>()
const maxDefaults = 5000

function withResolvedZones({ providers }: PricingDeps, { catalogue }: Market, limits: Limits): Limits {
  const { availabilityZones } = limits.predicates
  if (availabilityZones === undefined) return limits
  const zones = availabilityZones.flatMap((name) => resolveZones(providers, catalogue, name))
  return { ...limits, predicates: { ...limits.predicates, availabilityZones: zones } }
}

export const vmOf = ({ vm }: RecommendationRequest): Size => ({ vcpus: vm.cpu_cores, ramGib: vm.ram_gb })

/** The caller's size of the machine takes precedence over that of the price list. */
function needOf(
  request: RecommendationRequest,
  current: Offer,
  { predicates, architectures, near, withoutLocalZones, termLength: length }: SearchScope,
  traits: TypeTraits,
): Need & { readonly comparableTo: Comparability } {
  const { usage, target_utilisation: target } = request
  const used = { vcpus: usage.cpu_cores, ramGib: usage.ram_gb }
  const wanted = { cpu: target?.cpu ?? defaultTarget.cpu, ram: target?.ram ?? defaultTarget.ram }
  const { vcpus, ramGib } = requirement(used, vmOf(request), wanted)
  // Members are named one by one, because spreading them costs more than the rest of this function.
  return {
    vcpus,
    ramGib,
    sustainedVcpus: usage.cpu_cores,
    operatingSystem: current.operatingSystem,
    architectures,
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthlyPrice(current),
    predicates,
    comparableTo: comparabilityOf(traits, request.performance === 'equivalent'),
    near,
    withoutLocalZones,
    termLength: length,
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  }
}

interface TargetUtilisation {
  readonly cpu: number
  readonly ram: number
}

/** A fifth of the machine stays free for peaks that the usage figure does not show. */
const defaultTarget: TargetUtilisation = { cpu: 0.8, ram: 0.8 }

/** Returns the size that a candidate must have so that the usage fills it to the target at most. */
export function requirement(usage: Size, vm: Size, target: TargetUtilisation = defaultTarget): Size {
  return {
    vcpus: required(usage.vcpus, vm.vcpus, target.cpu),
    ramGib: required(usage.ramGib, vm.ramGib, target.ram),
  }
}

/** 1.5 used of 4 at 0.8 -> 1.875; 3.6 of 4 -> 4, not 4.5; 5 of 4 -> 6.25, as the machine is too small already. */
function required(used: number, size: number, target: number): number {
  const wanted = round(used / target, 9)
  return used <= size ? Math.min(wanted, size) : wanted
}

/** Where candidates are searched: as the caller says, and otherwise like the current machine. */
export interface SearchScope {
  readonly predicates: Predicates
  /** Any if undefined. A machine of unknown architecture always passes. */
  readonly architectures: Need['architectures'] | undefined
  readonly near: Near | undefined
  readonly withoutLocalZones: boolean
  /** Length of the commitments that are compared; any if undefined. */
  readonly termLength: string | undefined
}

export function scopeOf(catalogue: Catalogue, current: Offer, limits: Limits): SearchScope {
  const { predicates, architectures, lifted, around } = limits
  const { architecture } = current
  const { usageTypes, availabilityZones } = predicates
  const regions = predicates.regions?.flatMap((name) => resolveRegions(catalogue, name))
  const isPlaceNamed =
    regions !== undefined ||
    availabilityZones !== undefined ||
    lifted.has('regions') ||
    lifted.has('availability_zones')
  // Members are named one by one, because spreading them costs more than the rest of this function.
  return {
    predicates: {
      availabilityZones,
      instanceTypes: predicates.instanceTypes,
      providers: predicates.providers,
      regions,
      usageTypes: usageTypes ?? (lifted.has('usage_types') ? undefined : onlyUsage[current.usageType]),
    },
    architectures:
      architectures ?? (architecture === '' || lifted.has('architectures') ? undefined : [architecture]),
    near: around
      ? within(current, around)
      : isPlaceNamed
        ? undefined
        : nearTo(catalogue, current, predicates.providers),
    withoutLocalZones: availabilityZones === undefined && !lifted.has('availability_zones'),
    // Three years for less than one year costs is no saving to somebody who commits for one.
    termLength:
      usageTypes === undefined && !lifted.has('usage_types') && current.term !== ''
        ? termLength(current.term)
        : undefined,
  }
}

const onlyUsage: Record<UsageType, readonly UsageType[]> = {
  ONDEMAND: ['ONDEMAND'],
  RESERVED: ['RESERVED'],
  SPOT_PREEMPTIBLE: ['SPOT_PREEMPTIBLE'],
}

/**
 * Returns the regions of the same continent and partition. If a named provider has none there, its
 * nearest regions are added.
 */
function nearTo(catalogue: Catalogue, current: Offer, providers: readonly string[] | undefined): Near {
  const { provider, region } = current
  const { places } = shippedFacts()
  const area = places.areaAround(provider, region)
  if (area === undefined) return nearToUnknown(current)
  const isOpen = catalogue.rules.areaOf(provider, region) === area
  if (isOpen && providers === undefined) return { area, places: [] }
  const more = isOpen ? [] : [{ provider, region }]
  const here = places.find(provider, region)!
  for (const key of new Set(providers?.map((name) => name.toLowerCase())))
    more.push(...nearestRegions(catalogue, key, area, here))
  return { area, places: more }
}

/**
 * Returns the regions of the current partition that are open to everyone, by distance alone. Regions without an area,
 * such as those of the marketplace, are always near.
 */
function within(current: Offer, { near, distanceKm: maxKm }: NonNullable<Limits['around']>): Near {
  const { places } = shippedFacts()
  const here = places.find(current.provider, current.region)
  const centre = near === undefined ? here : places.locate(near)
  if (centre === undefined)
    throw near === undefined
      ? invalidField('/predicates/near', 'is required: the location of the current instance is unknown')
      : invalidField('/predicates/near', 'is not a known region, city or "latitude,longitude"')
  const partition = here?.partition.replace(/-restricted$/, '') ?? 'commercial'
  const close = places.nearest(centre, maxKm).filter(({ place }) => place.partition === partition)
  return { area: '', places: close.map(({ place }) => place) }
}

/** Returns all regions of the area in which the provider's nearest region is; none if it has regions in the area itself. */
function nearestRegions(
  catalogue: Catalogue,
  provider: string,
  area: string,
  here: KnownPlace,
): Near['places'] {
  if (catalogue.hasRegionIn(area, provider)) return []
  const { places } = shippedFacts()
  const known = catalogue.regionsOf(provider).flatMap((region) => places.find(provider, region) ?? [])
  if (known.length === 0) return []
  const areaOf = (place: KnownPlace): string => catalogue.rules.areaOf(place.provider, place.region)
  const nearest = known.reduce((a, b) => (distanceKm(here, b) < distanceKm(here, a) ? b : a))
  return known.filter((place) => areaOf(place) === areaOf(nearest))
}

/** If the location of the machine is unknown, any commercial region is accepted, and its own. */
const nearToUnknown = ({ provider, region }: Offer): Near => ({
  area: '',
  places: [...shippedFacts().places.commercial, { provider, region }],
})
