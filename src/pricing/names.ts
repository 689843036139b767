import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'
import { foldName } from '../providers/providers.ts'
import { oncePer } from '../runtime/cache.ts'

/** Region names of a catalogue by their folded form (see foldName). */
const foldedRegions = oncePer((catalogue: Catalogue) => {
  const all = new Map<string, string[]>()
  for (const { regions } of catalogue.facets())
    for (const region of regions) all.getOrInsertComputed(foldName(region), () => []).push(region)
  return all
})

/**
 * Returns the region that a provider's user means: by its name in any spelling ("West Europe"), or by one of its zones
 * ("us-central1-a"); the name itself if it means none.
 */
export function resolveRegion(catalogue: Catalogue, provider: Provider, name: string): string {
  const regions = catalogue.regionsOf(provider.key)
  const wanted = name.toLowerCase()
  const exact = regions.find((region) => region.toLowerCase() === wanted)
  if (exact !== undefined) return exact
  const spelled = regions.filter((region) => foldName(region) === foldName(name))
  if (spelled.length === 1) return spelled[0]!
  const around = regions.filter((region) => provider.isZoneInRegion(name, region))
  return around.length === 1 ? around[0]! : name
}

/**
 * Returns the regions of any provider that a name means. An exact name means only itself, because us-east-1 is not
 * us-east1. Returns the name itself if it means none.
 */
export function resolveRegions(catalogue: Catalogue, name: string): readonly string[] {
  if (catalogue.hasRegion(name)) return [name]
  return [name, ...(foldedRegions(catalogue).get(foldName(name)) ?? [])]
}

/**
 * Returns the zones that a name means: itself, and also all zones of its region if it means a
 * different zone in each account.
 */
export function resolveZones(
  providers: readonly Provider[],
  catalogue: Catalogue,
  name: string,
): readonly string[] {
  const provider = providers.find(({ isZoneOfAccount }) => isZoneOfAccount?.(name))
  const region =
    provider && catalogue.regionsOf(provider.key).find((one) => provider.isZoneInRegion(name, one))
  if (provider === undefined || region === undefined) return [name]
  const { zones = [] } = catalogue.facets().find((facets) => facets.provider === provider.key) ?? {}
  const inRegion = zones.filter(
    (zone) => provider.isZoneInRegion(zone, region) && !provider.isLocalZone?.(zone),
  )
  return [name, ...inRegion]
}

/** Returns the first of the zones that is an account-specific name and lies in the region of the offer; '' if none does. */
export function accountZoneOf(
  providers: readonly Provider[],
  { provider: key, region }: Pick<Offer, 'provider' | 'region'>,
  zones: readonly string[],
): string {
  const provider = providers.find((one) => one.key === key)
  return (
    zones.find((zone) => provider?.isZoneOfAccount?.(zone) && provider.isZoneInRegion(zone, region)) ?? ''
  )
}

export function resolveType(catalogue: Catalogue, provider: Provider, name: string): string {
  const known = new Set(catalogue.typesOf(provider.key).map((type) => type.toLowerCase()))
  if (known.has(name.toLowerCase())) return name
  return provider.otherTypeNames?.(name).find((other) => known.has(other.toLowerCase())) ?? name
}
