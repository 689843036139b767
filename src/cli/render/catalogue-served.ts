import type {
  BuildManifest,
  DroppedRows,
  ExchangeRate,
  FilledFact,
  ProviderManifest,
  QuarantinedPrice,
} from '../../domain/manifest.ts'
import { renderManifest } from './catalogue.ts'

/** The answer of GET /catalogue. */
export interface CatalogueDescription {
  readonly id: string
  readonly built_at: string
  readonly offers: number
  readonly exchange: ExchangeRate | null
  readonly providers: readonly ServedProvider[]
}

interface ServedProvider {
  readonly provider_key: string
  readonly offers: number
  readonly types: number
  readonly regions: number
  readonly currency: string
  readonly sources: readonly { readonly source: string; readonly day: string; readonly rows: number }[]
  readonly filled: readonly FilledFact[]
  readonly unknown_sizes: ProviderManifest['unknownSizes']
  readonly quarantined: readonly {
    readonly region: string
    readonly availability_zone: string
    readonly instance_type: string
    readonly operating_system: QuarantinedPrice['operatingSystem']
    readonly usage_type: QuarantinedPrice['usageType']
    readonly term: QuarantinedPrice['term']
    readonly cost_per_hour: number
    readonly median_per_hour: number | null
    readonly reason: string
  }[]
  readonly dropped: readonly DroppedRows[]
}

/** Renders the catalogue of a service like a catalogue file. */
export function renderServed({ id, built_at, offers, exchange, providers }: CatalogueDescription): string {
  const manifest: BuildManifest = { builtAt: built_at, exchange, providers: providers.map(manifestOf) }
  return renderManifest(id, offers, manifest)
}

function manifestOf(served: ServedProvider): ProviderManifest {
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
  }
}
