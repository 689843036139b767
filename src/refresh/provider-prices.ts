import { buildOfferColumns } from '../catalogue/columns/build-columns.ts'
import { viewsIn } from '../catalogue/columns/offer-view.ts'
import type { Snapshot } from '../catalogue/snapshot/snapshot.ts'
import type {
  BuildManifest,
  ExchangeRate,
  ProviderManifest,
  QuarantinedPrice,
  RefreshNote,
} from '../domain/manifest.ts'
import type { KnownZone, Offer } from '../domain/offer.ts'
import type { SourcesOptions } from '../importers/live/fetching/sources.ts'
import type { Importer } from '../importers/live/importer.ts'
import type { Imported } from '../importers/live/run-importer.ts'
import type { PriceChanges } from '../store/port-prices.ts'

/** One provider's prices in a catalogue. */
export interface ProviderPrices {
  readonly offers: readonly Offer[]
  readonly zones: readonly KnownZone[]
  readonly manifest: ProviderManifest
}

/** The same, its offers made when asked for, since all providers' offers at once are many. */
export interface ProviderPart extends Omit<ProviderPrices, 'offers'> {
  offers(): Iterable<Offer>
}

export interface RefreshOptions {
  readonly endpoints?: Readonly<Record<string, string>>
  secret(name: string): string | undefined
  now(): number
  /** Believe a list however far it is from the last good one. For an operator who has looked. */
  readonly accept?: boolean
  readonly signal?: AbortSignal
  readonly fetching?: SourcesOptions
  onProgress?(line: { readonly provider: string; readonly text: string }): void
}

export interface RefreshedCatalogue {
  readonly id: string
  /** The whole new catalogue. */
  readonly bytes: Uint8Array
  readonly manifest: BuildManifest
  /** What moved, for the history. */
  readonly changes: readonly PriceChanges[]
  /** How many providers have prices that are new or confirmed. */
  readonly fresh: number
}

/** The parts of a catalogue by provider. */
export function partsOf({ columns, zones, manifest }: Snapshot): Map<string, ProviderPart> {
  return new Map(
    manifest.providers.map((of) => [
      of.provider,
      {
        offers: () => viewsIn(columns).filter(({ provider }) => provider === of.provider),
        zones: zones.filter(({ provider }) => provider === of.provider),
        manifest: of,
      },
    ]),
  )
}

/** In columns, since the offers of all providers at once take more memory than all else. */
export function compactPart(
  offers: readonly Offer[],
  zones: readonly KnownZone[],
  manifest: ProviderManifest,
): ProviderPart {
  const columns = buildOfferColumns(offers)
  return { offers: () => viewsIn(columns), zones, manifest }
}

export function emptyPart({ provider, currency }: Importer): ProviderPart {
  const manifest: ProviderManifest = {
    provider: provider.key,
    rows: 0,
    offers: 0,
    types: 0,
    regions: 0,
    currency,
    sources: [],
    filled: [],
    unknownSizes: { offers: 0, types: [] },
    quarantined: [],
    dropped: [],
  }
  return { offers: () => [], zones: [], manifest }
}

/** Each provider's own rate stands with it; this is the newest of them all. */
export function latestExchange(
  before: ExchangeRate | null,
  parts: readonly ProviderPart[],
): ExchangeRate | null {
  return parts.reduce((latest, { manifest: { exchange } }) => {
    if (exchange === undefined) return latest
    return latest === null || exchange.day > latest.day ? exchange : latest
  }, before)
}

/** How one provider's refresh ended, in its manifest and in lines of progress. */
export function refreshReport(provider: string, before: ProviderPrices, options: RefreshOptions) {
  const at = new Date(options.now()).toISOString()
  const { refresh } = before.manifest
  const progress = (text: string): void => options.onProgress?.({ provider, text })
  const withNote = (refresh: RefreshNote): ProviderPrices => ({
    ...before,
    manifest: { ...before.manifest, refresh },
  })
  const oldNote = (outcome: RefreshNote['outcome'], reason: string): RefreshNote => ({
    at,
    outcome,
    reason,
    freshAt: refresh?.freshAt ?? null,
    historySince: refresh?.historySince ?? null,
    notes: refresh?.notes ?? [],
    validators: refresh?.validators ?? {},
  })
  return {
    progress,
    keepOld(outcome: RefreshNote['outcome'], reason: string): ProviderPrices {
      progress(`${outcome}: ${reason}; the prices of before stay in force`)
      return withNote(oldNote(outcome, reason))
    },
    unchanged({ notes }: Imported): ProviderPrices {
      progress('unchanged')
      return withNote({ ...oldNote('unchanged', ''), freshAt: at, notes })
    },
    fresh(imported: Imported, held: HeldBack): ProviderPrices {
      progress(`${held.offers.length} prices, ${Math.round(imported.bytes / 1e5) / 10} MB read`)
      const { manifest, zones, notes, validators } = imported
      const historySince = refresh?.historySince ?? at
      return {
        offers: held.offers,
        zones,
        manifest: {
          ...manifest,
          quarantined: [...manifest.quarantined, ...held.quarantined],
          refresh: { at, outcome: 'fresh', reason: '', freshAt: at, historySince, notes, validators },
        },
      }
    },
  }
}

export type RefreshReport = ReturnType<typeof refreshReport>

interface HeldBack {
  readonly offers: readonly Offer[]
  readonly quarantined: readonly QuarantinedPrice[]
}
