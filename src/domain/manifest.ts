import type { ListedPrice } from './offer.ts'

/** What a catalogue was built from. Lists are sorted; the same input gives the same manifest. */
export interface BuildManifest {
  /** RFC 3339, UTC. */
  readonly builtAt: string
  /** The rate at which prices in another currency were converted to US dollars; null if there were none. */
  readonly exchange: ExchangeRate | null
  readonly providers: readonly ProviderManifest[]
}

export interface ExchangeRate {
  readonly from: string
  readonly to: string
  readonly rate: number
  /** YYYY-MM-DD */
  readonly day: string
  readonly source: string
}

export interface ProviderManifest {
  readonly provider: string
  /** Rows read; one row can give several offers (a price of all regions) or none. */
  readonly rows: number
  readonly offers: number
  readonly types: number
  readonly regions: number
  /** The currency in which the provider itself states its prices. */
  readonly currency: string
  readonly sources: readonly PriceSource[]
  readonly filled: readonly FilledFact[]
  /** Types of unknown size and the number of their offers. They have prices but are never candidates. */
  readonly unknownSizes: { readonly offers: number; readonly types: readonly string[] }
  readonly quarantined: readonly QuarantinedPrice[]
  readonly dropped: readonly DroppedRows[]
  /** Absent if its prices needed no conversion or were not refreshed. */
  readonly exchange?: ExchangeRate
  /** How the last refresh from the provider's own list went; absent if there was none. */
  readonly refresh?: RefreshNote
}

/** fresh: new prices are current. unchanged: the list did not change. All others: the previous prices stay. */
export const refreshOutcomes = ['fresh', 'unchanged', 'refused', 'failed', 'needs-credential'] as const
export type RefreshOutcome = (typeof refreshOutcomes)[number]

export interface RefreshNote {
  /** RFC 3339: when it was last tried. */
  readonly at: string
  readonly outcome: RefreshOutcome
  /** Why the previous prices were kept; '' if the prices are new or confirmed. */
  readonly reason: string
  /** Why the list could not be read, in one word, such as `unreachable`; absent if it was read. */
  readonly code?: string
  /** How many bytes were read when the list was last read. */
  readonly bytes?: number
  /** RFC 3339: when the current prices were last read or confirmed; null if never. */
  readonly freshAt: string | null
  /** RFC 3339: since when changes are recorded; null if never. */
  readonly historySince: string | null
  /** Remarks on the refresh, for example that spot prices are the previous ones because there is no credential. */
  readonly notes: readonly string[]
  /** HTTP validators (such as ETags) of the documents from which the current prices were read, by URL. */
  readonly validators: Readonly<Record<string, { readonly etag?: string; readonly lastModified?: string }>>
}

export interface PriceSource {
  readonly text: string
  /** YYYY-MM-DD */
  readonly day: string
  readonly rows: number
}

export interface FilledFact {
  readonly what: 'size' | 'architecture' | 'accelerator'
  readonly rule: string
  readonly types: number
  readonly offers: number
}

export interface QuarantinedPrice extends ListedPrice {
  readonly provider: string
  /** Median of the same type, operating system, usage type and term; null if there is nothing to compare with. */
  readonly medianPerHourUsd: number | null
  readonly reason: string
}

export interface DroppedRows {
  readonly reason: string
  readonly rows: number
  /** One of them, as an example. */
  readonly example: string
}

/** Prefers the newer of the published and the shipped one, so that an old refresh undoes no facts of a release. */
export function newestCatalogue<T extends { readonly manifest: BuildManifest }>(catalogues: readonly T[]): T {
  return catalogues.reduce((newest, other) =>
    isNewerManifest(other.manifest, newest.manifest) ? other : newest,
  )
}

export const isNewerManifest = (manifest: BuildManifest, other: BuildManifest): boolean =>
  Date.parse(manifest.builtAt) > Date.parse(other.builtAt)
