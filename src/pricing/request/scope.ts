import type { Catalogue } from '../../catalogue/catalogue.ts'
import { distanceKm, type KnownPlace } from '../../catalogue/facts/places.ts'
import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { Near, Need, Predicates } from '../../domain/need.ts'
import { NotFound } from '../../domain/not-found.ts'
import { type Offer, termLength, type UsageType } from '../../domain/offer.ts'
import { resolveRegions } from '../names.ts'
import { fieldNotFound } from '../not-found.ts'
import type { Limits } from './request.ts'

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

/** Returns NotFound only if a distance is given and its centre is not known. */
export function scopeOf(catalogue: Catalogue, current: Offer, limits: Limits): SearchScope | NotFound {
  const { predicates, architectures, lifted, around } = limits
  const { architecture } = current
  const { usageTypes, availabilityZones } = predicates
  const regions = predicates.regions?.flatMap((name) => resolveRegions(catalogue, name))
  const isPlaceNamed =
    regions !== undefined ||
    availabilityZones !== undefined ||
    lifted.has('regions') ||
    lifted.has('availability_zones')
  const near = around
    ? within(current, around)
    : isPlaceNamed
      ? undefined
      : nearTo(catalogue, current, predicates.providers)
  if (near instanceof NotFound) return near
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
    near,
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
function within(current: Offer, { near, distanceKm: maxKm }: NonNullable<Limits['around']>): Near | NotFound {
  const { places } = shippedFacts()
  const here = places.find(current.provider, current.region)
  const centre = near === undefined ? here : places.locate(near)
  if (centre === undefined)
    return near === undefined
      ? fieldNotFound('/predicates/near', 'is required: the location of the current instance is unknown')
      : fieldNotFound('/predicates/near', 'is not a known region, city or "latitude,longitude"')
  const partition = here?.partition.replace(/-restricted$/, '') ?? 'commercial'
  const close = places.nearest(centre, maxKm).filter(({ place }) => place.partition === partition)
  return { area: '', places: close.map(({ place }) => place) }
}

/** Returns all regions of the area in which the provider's nearest region is; none if it has regions in the area itself. */
function nearestRegions(catalogue: Catalogue, provider: string, area: string, here: KnownPlace) {
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
