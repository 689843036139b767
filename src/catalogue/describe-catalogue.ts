import { entityTagOf } from '../domain/cursor.ts'
import type { BuildManifest, ProviderManifest } from '../domain/manifest.ts'
import type { Provider } from '../domain/provider.ts'
import type { Catalogue } from './catalogue.ts'
import type { CatalogueDescription } from './schema.ts'

export interface CatalogueDeps {
  catalogue(): Catalogue
  manifest(): BuildManifest
  readonly providers: readonly Provider[]
}

const descriptions = new WeakMap<BuildManifest, { json: string; etag: string }>()

/** Describes where prices come from, how old they are and what was left out. The text is written once per manifest. */
export function describeCatalogue(deps: CatalogueDeps): { json: string; etag: string } {
  const manifest = deps.manifest()
  const known = descriptions.get(manifest)
  if (known !== undefined) return known
  const catalogue = deps.catalogue()
  const json = JSON.stringify(describeManifest(catalogue.id, catalogue.offerCount, manifest, deps.providers))
  const described = { json, etag: entityTagOf(json) }
  descriptions.set(manifest, described)
  return described
}

type NamedProvider = Pick<Provider, 'key' | 'displayName'>

/** Describes those of the providers that the manifest has; by default all of them, named by their keys. */
export const describeManifest = (
  id: string,
  offers: number,
  manifest: BuildManifest,
  providers: readonly NamedProvider[] = manifest.providers.map(({ provider }) => ({
    key: provider,
    displayName: provider,
  })),
): CatalogueDescription => ({
  id,
  built_at: manifest.builtAt,
  offers,
  exchange: manifest.exchange,
  providers: providers.flatMap((provider) => {
    const of = manifest.providers.find((each) => each.provider === provider.key)
    return of === undefined ? [] : [describeProvider(provider, of)]
  }),
})

function describeProvider(provider: NamedProvider, of: ProviderManifest) {
  const days = of.sources.map(({ day }) => day).sort()
  return {
    provider_key: provider.key,
    provider: provider.displayName,
    offers: of.offers,
    types: of.types,
    regions: of.regions,
    currency: of.currency,
    oldest_day: days[0] ?? null,
    newest_day: days.at(-1) ?? null,
    sources: of.sources.map(({ text, day, rows }) => ({ source: text, day, rows })),
    filled: of.filled,
    unknown_sizes: of.unknownSizes,
    quarantined: of.quarantined.map((price) => ({
      region: price.region,
      availability_zone: price.zone,
      instance_type: price.instanceType,
      operating_system: price.operatingSystem,
      usage_type: price.usageType,
      term: price.term,
      cost_per_hour: price.pricePerHourUsd,
      median_per_hour: price.medianPerHourUsd,
      reason: price.reason,
    })),
    dropped: of.dropped,
    refresh:
      of.refresh === undefined
        ? null
        : {
            at: of.refresh.at,
            outcome: of.refresh.outcome,
            reason: of.refresh.reason,
            fresh_at: of.refresh.freshAt,
            notes: of.refresh.notes,
            bytes: of.refresh.bytes ?? null,
          },
  }
}
