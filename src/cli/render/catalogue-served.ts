import { renderTable } from './table.ts'

/** The members of the answer of GET /catalogue that are shown. */
export interface CatalogueDescription {
  readonly id: string
  readonly built_at: string
  readonly offers: number
  readonly providers: readonly {
    readonly provider_key: string
    readonly offers: number
    readonly types: number
    readonly regions: number
    readonly oldest_day: string | null
    readonly newest_day: string | null
    readonly unknown_sizes: { readonly offers: number }
    readonly quarantined: readonly unknown[]
  }[]
}

/** Renders the catalogue of a service. Sources and left-out prices are only in the JSON output. */
export function renderServed({ id, built_at, offers, providers }: CatalogueDescription): string {
  const head = ['PROVIDER', 'OFFERS', 'TYPES', 'REGIONS', 'OLDEST', 'NEWEST', 'NO SIZE', 'QUARANTINED']
  const rows = providers.map((provider) => [
    provider.provider_key,
    String(provider.offers),
    String(provider.types),
    String(provider.regions),
    provider.oldest_day ?? '-',
    provider.newest_day ?? '-',
    String(provider.unknown_sizes.offers),
    String(provider.quarantined.length),
  ])
  return `Catalogue ${id.slice(0, 16)}, built ${built_at}: ${offers} offers\n\n${renderTable([head, ...rows], [1, 2, 3, 6, 7])}`
}
