import { shippedFacts } from '../catalogue/shipped-facts.ts'
import type { PricingDeps } from './market.ts'
import { invalidField } from './not-found.ts'
import type { RegionsQuery, RegionView } from './schema.ts'

/** Kilometres: twice around the earth, so that unknown distances sort last. */
const farAway = 80_000

/** Lists regions with prices, by distance from a place if one is given, otherwise by provider and name. */
export function listRegions(deps: PricingDeps, { provider, near, limit }: RegionsQuery): RegionView[] {
  const { places } = shippedFacts()
  const centre = near === undefined ? undefined : places.locate(near)
  if (near !== undefined && centre === undefined)
    throw invalidField('?near', 'is not a known region, city or "latitude,longitude"')
  const km = new Map(
    centre === undefined
      ? []
      : places.nearest(centre, Infinity).map(({ place, km: distance }) => [place, distance]),
  )
  const wanted = provider === undefined ? undefined : (deps.findProvider(provider)?.key ?? provider)
  const names = new Map(deps.providers.map(({ key, displayName }) => [key, displayName]))
  return deps
    .catalogue()
    .facets()
    .filter((facets) => wanted === undefined || facets.provider === wanted)
    .flatMap((facets) =>
      facets.regions.map((region): RegionView => {
        const place = places.find(facets.provider, region)
        const distance = place && km.get(place)
        return {
          provider_key: facets.provider,
          provider: names.get(facets.provider) ?? facets.provider,
          region,
          city: place?.city ?? null,
          country: place?.country ?? null,
          continent: place?.continent ?? null,
          partition: place?.partition ?? null,
          distance_km: distance === undefined ? null : Math.round(distance),
          grams_co2e_per_kwh: places.carbon(facets.provider, region)?.gramsPerKwh ?? null,
        }
      }),
    )
    .sort((a, b) => (a.distance_km ?? farAway) - (b.distance_km ?? farAway))
    .slice(0, limit)
}
