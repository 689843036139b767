import type {
  BuildManifest,
  ExchangeRate,
  ProviderManifest,
  QuarantinedPrice,
  RefreshNote,
} from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import type { SourcesOptions } from '../../providers/fetching/http/sources.ts'
import type { Importer } from '../../providers/fetching/importer.ts'
import type { Imported } from '../../providers/fetching/run-importer.ts'
import type { PriceChanges } from '../../store/port-prices.ts'
import { buildOfferColumns } from '../columns/build-columns.ts'
import { viewsIn } from '../columns/offer-view.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

export interface ProviderPrices {
  readonly offers: readonly Offer[]
  readonly zones: readonly KnownZone[]
  readonly manifest: ProviderManifest
}

/** Like ProviderPrices, but the offers are created on demand, because the offers of all providers at once are many. */
export type ProviderPart = Omit<ProviderPrices, 'offers'> & { offers(): Iterable<Offer> }

export interface RefreshOptions {
  readonly endpoints?: Readonly<Record<string, string>>
  secret(name: string): string | undefined
  now(): number
  /** The only regions to read of large lists, by provider; all if absent. */
  readonly regions?: Readonly<Record<string, readonly string[]>>
  /** Accepts a list however far it is from the last good one. For an operator who has checked it. */
  readonly accept?: boolean
  readonly signal?: AbortSignal
  readonly fetching?: SourcesOptions
  onProgress?(line: ProgressLine): void
}

export interface ProgressLine {
  readonly provider: string
  readonly text: string
  readonly isFailure?: true
}

export interface RefreshedCatalogue {
  readonly id: string
  readonly bytes: Uint8Array
  readonly manifest: BuildManifest
  readonly changes: readonly PriceChanges[]
  readonly fresh: number
}

export function partsOf({ columns, zones, manifest }: Snapshot): Map<string, ProviderPart> {
  return new Map(
    manifest.providers.map((described) => [
      described.provider,
      {
        offers: () => viewsIn(columns).filter(({ provider }) => provider === described.provider),
        zones: zones.filter(({ provider }) => provider === described.provider),
        manifest: described,
      },
    ]),
  )
}

/** Stores the offers in columns, because the offers of all providers at once take more memory than everything else. */
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

export function latestExchange(
  before: ExchangeRate | null,
  parts: readonly ProviderPart[],
): ExchangeRate | null {
  return parts.reduce((latest, { manifest: { exchange } }) => {
    if (exchange === undefined) return latest
    return latest === null || exchange.day > latest.day ? exchange : latest
  }, before)
}

/** Reports how one provider's refresh ended, in its manifest and in lines of progress. */
export function refreshReport(provider: string, before: ProviderPrices, options: RefreshOptions) {
  const at = new Date(options.now()).toISOString()
  const { refresh } = before.manifest
  const progress = (text: string): void => options.onProgress?.({ provider, text })
  const withNote = (refresh: RefreshNote): ProviderPrices => ({
    ...before,
    manifest: { ...before.manifest, refresh },
  })
  const oldNote = (outcome: RefreshNote['outcome'], reason: string, code?: string): RefreshNote => ({
    at,
    outcome,
    reason,
    ...(code === undefined ? {} : { code }),
    ...(refresh?.bytes === undefined ? {} : { bytes: refresh.bytes }),
    freshAt: refresh?.freshAt ?? null,
    historySince: refresh?.historySince ?? null,
    notes: refresh?.notes ?? [],
    validators: refresh?.validators ?? {},
  })
  return {
    progress,
    keepOld(outcome: RefreshNote['outcome'], reason: string, code?: string): ProviderPrices {
      const text = `${outcome}; the previous prices stay in use`
      options.onProgress?.({ provider, text, isFailure: true })
      return withNote(oldNote(outcome, reason, code))
    },
    unchanged({ notes }: Imported): ProviderPrices {
      progress('unchanged')
      return withNote({ ...oldNote('unchanged', ''), freshAt: at, notes })
    },
    fresh(imported: Imported, held: HeldBack): ProviderPrices {
      progress(`${held.offers.length} prices, ${Math.round(imported.bytes / 1e5) / 10} MB read`)
      const { manifest, zones, notes, validators, bytes } = imported
      const historySince = refresh?.historySince ?? at
      return {
        offers: held.offers,
        zones,
        manifest: {
          ...manifest,
          quarantined: [...manifest.quarantined, ...held.quarantined],
          refresh: { at, outcome: 'fresh', reason: '', bytes, freshAt: at, historySince, notes, validators },
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
