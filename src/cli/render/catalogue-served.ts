import type { CatalogueDescription } from '../../catalogue/schema.ts'
import type { BuildManifest, ProviderManifest } from '../../domain/manifest.ts'
import { renderManifest } from './catalogue.ts'

/** Renders the catalogue of a service like a catalogue file. */
export function renderServed({ id, built_at, offers, exchange, providers }: CatalogueDescription): string {
  const manifest: BuildManifest = { builtAt: built_at, exchange, providers: providers.map(manifestOf) }
  return renderManifest(id, offers, manifest)
}

function manifestOf(served: CatalogueDescription['providers'][number]): ProviderManifest {
  const { provider_key: provider, offers, types, regions, currency, filled, dropped, sources } = served
  return {
    provider,
    rows: sources.reduce((sum, { rows }) => sum + rows, 0),
    offers,
    types,
    regions,
    currency,
    sources: sources.map(({ source, day, rows }) => ({ text: source, day, rows })),
    filled,
    unknownSizes: served.unknown_sizes,
    quarantined: served.quarantined.map((price) => ({
      provider,
      region: price.region,
      zone: price.availability_zone,
      instanceType: price.instance_type,
      operatingSystem: price.operating_system,
      usageType: price.usage_type,
      term: price.term,
      pricePerHourUsd: price.cost_per_hour,
      medianPerHourUsd: price.median_per_hour,
      reason: price.reason,
    })),
    dropped,
  } as ProviderManifest
}
