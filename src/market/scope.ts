import type { Catalogue } from '../catalogue/catalogue.ts'
import { shippedKnowledge } from '../catalogue/load-catalogue.ts'
import type { Near, Predicates } from '../domain/need.ts'
import type { Offer, UsageType } from '../domain/offer.ts'
import { distanceKm, type KnownPlace } from '../machines/places.ts'
import { regionsMeant } from './names.ts'
import { invalidField } from './not-found.ts'
import type { Limits } from './request.ts'

/** Where candidates are looked for: what the caller says, and where nothing is said, as the current machine is. */
export interface SearchScope {
  readonly predicates: Predicates
  readonly near: Near | undefined
  readonly withoutLocalZones: boolean
}

export function scopeOf(catalogue: Catalogue, current: Offer, limits: Limits): SearchScope {
  const { predicates, lifted, around } = limits
  const { usageTypes, availabilityZones } = predicates
  const regions = predicates.regions?.flatMap((name) => regionsMeant(catalogue, name))
  const isPlaceNamed =
    regions !== undefined ||
    availabilityZones !== undefined ||
    lifted.has('regions') ||
    lifted.has('availability_zones')
  // Named one by one: members that are spread cost more than the rest of this.
  return {
    predicates: {
      availabilityZones,
      instanceTypes: predicates.instanceTypes,
      providers: predicates.providers,
      regions,
      usageTypes: usageTypes ?? (lifted.has('usage_types') ? undefined : onlyUsage[current.usageType]),
    },
    near: around
      ? within(current, around)
      : isPlaceNamed
        ? undefined
        : nearTo(catalogue, current, predicates.providers),
    withoutLocalZones: availabilityZones === undefined && !lifted.has('availability_zones'),
  }
}

const onlyUsage: Record<UsageType, readonly UsageType[]> = {
  ONDEMAND: ['ONDEMAND'],
  RESERVED: ['RESERVED'],
  SPOT_PREEMPTIBLE: ['SPOT_PREEMPTIBLE'],
}

/** By area and usage type, of the scopes that are assumed: a few dozen, and most requests have one. */
const assumedTexts = new Map<Near, Map<readonly UsageType[], string>>()

/** The text of the Cheapside-Scope header: a dictionary as of RFC 9651, in which "*" limits nothing. */
export function scopeText(scope: SearchScope): string {
  const { near, withoutLocalZones, predicates } = scope
  const { usageTypes, regions, availabilityZones, providers, instanceTypes } = predicates
  const isAssumed =
    near !== undefined && near === plainNears.get(near.area) && withoutLocalZones && !regions && !providers
  if (
    !isAssumed ||
    availabilityZones ||
    instanceTypes ||
    usageTypes !== onlyUsage[usageTypes?.[0] ?? 'ONDEMAND']
  )
    return writtenScope(scope)
  return assumedTexts
    .getOrInsertComputed(near, () => new Map())
    .getOrInsertComputed(usageTypes, () => writtenScope(scope))
}

function writtenScope({ predicates, near, withoutLocalZones }: SearchScope): string {
  const { usageTypes, regions, availabilityZones, providers, instanceTypes } = predicates
  const more = near === undefined || near.area === '' ? [] : near.places
  return [
    `usage_types=${named(usageTypes)}`,
    `regions=${near === undefined ? named(regions) : near.area === '' ? named(near.places.map(({ region }) => region)) : quoted(near.area)}`,
    ...(more.length === 0 ? [] : [`more_regions=${named(more.map(({ region }) => region))}`]),
    `availability_zones=${named(availabilityZones)}`,
    `local_zones=?${withoutLocalZones ? 0 : 1}`,
    `providers=${named(providers)}`,
    `instance_types=${named(instanceTypes)}`,
  ].join(', ')
}

function named(names: readonly string[] | undefined): string {
  if (names === undefined) return '"*"'
  if (names.length === 1) return `(${quoted(names[0]!)})`
  return `(${[...new Set(names)].slice(0, mostNames).map(quoted).join(' ')})`
}

const mostNames = 20

/** A caller's own names may hold anything; a header may not. */
function quoted(text: string): string {
  if (ordinaryName.test(text)) return `"${text}"`
  return `"${text
    .slice(0, 100)
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/["\\]/g, '\\$&')}"`
}

const ordinaryName = /^[\w .-]{1,100}$/

/** Regions of the same continent and partition. A provider that is named and has none there is taken with its nearest. */
function nearTo(catalogue: Catalogue, current: Offer, providers: readonly string[] | undefined): Near {
  const { provider, region } = current
  const { places } = shippedKnowledge()
  const area = places.areaAround(provider, region)
  if (area === undefined) return nearToUnknown(catalogue, current)
  const isOpen = catalogue.rules.areaOf(provider, region) === area
  if (isOpen && providers === undefined) return plainNear(area)
  const more = isOpen ? [] : [{ provider, region }]
  const here = places.find(provider, region)!
  for (const key of new Set(providers?.map((name) => name.toLowerCase())))
    more.push(...nearestRegions(catalogue, key, area, here))
  return more.length === 0 ? plainNear(area) : { area, places: more }
}

/** Regions of the current partition that are open to everyone, by distance alone; private ones are always near. */
function within(current: Offer, { near, distanceKm: mostKm }: NonNullable<Limits['around']>): Near {
  const { places } = shippedKnowledge()
  const here = places.find(current.provider, current.region)
  const centre = near === undefined ? here : places.locate(near)
  if (centre === undefined)
    throw near === undefined
      ? invalidField('/predicates/near', 'is required: the location of the current instance is unknown')
      : invalidField('/predicates/near', 'is no region, city or "latitude,longitude" that is known')
  const partition = here?.partition.replace(/-restricted$/, '') ?? 'commercial'
  const close = places.nearest(centre, mostKm).filter(({ place }) => place.partition === partition)
  return { area: '', places: close.map(({ place }) => place) }
}

/** All regions of the area in which the provider's nearest region is; none where it has regions in the area itself. */
function nearestRegions(
  catalogue: Catalogue,
  provider: string,
  area: string,
  here: KnownPlace,
): Near['places'] {
  if (catalogue.hasRegionIn(area, provider)) return []
  const { places } = shippedKnowledge()
  const known = catalogue.regionsOf(provider).flatMap((region) => places.find(provider, region) ?? [])
  if (known.length === 0) return []
  const areaOf = (place: KnownPlace): string => catalogue.rules.areaOf(place.provider, place.region)
  const nearest = known.reduce((a, b) => (distanceKm(here, b) < distanceKm(here, a) ? b : a))
  return known.filter((place) => areaOf(place) === areaOf(nearest))
}

/** The location of the machine is unknown: any commercial region is accepted, and its own. */
function nearToUnknown(catalogue: Catalogue, { provider, region }: Offer): Near {
  const open = openPlaces.getOrInsertComputed(catalogue, () => {
    const { places } = shippedKnowledge()
    return places.all().filter((place) => places.area(place.provider, place.region).endsWith(' commercial'))
  })
  return { area: '', places: [...open, { provider, region }] }
}

const openPlaces = new WeakMap<Catalogue, Near['places']>()

/** One object for each area, since most requests ask for one of a dozen. */
function plainNear(area: string): Near {
  return plainNears.getOrInsertComputed(area, () => ({ area, places: [] }))
}

const plainNears = new Map<string, Near>()
