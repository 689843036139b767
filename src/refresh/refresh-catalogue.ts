import { buildOfferColumns } from '../catalogue/columns/build-columns.ts'
import { viewsIn } from '../catalogue/columns/offer-at.ts'
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../catalogue/snapshot/snapshot.ts'
import type { BuildManifest, ExchangeRate, ProviderManifest } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import type { Importer } from '../importers/live/importer.ts'
import type { PriceChanges } from '../store/port-prices.ts'
import { priceChangesBetween } from './price-changes.ts'
import { type ProviderPrices, type RefreshOptions, refreshProvider } from './refresh-provider.ts'

export interface RefreshedCatalogue {
  readonly id: string
  /** The whole new catalogue. */
  readonly bytes: Uint8Array
  readonly manifest: BuildManifest
  /** Price changes, for the history. */
  readonly changes: readonly PriceChanges[]
  /** How many providers have prices that are new or confirmed. */
  readonly fresh: number
}

/** Builds a new catalogue from the current one, provider by provider: each provider is replaced completely or not at all. */
export async function refreshCatalogue(
  importers: readonly Importer[],
  inForce: Snapshot,
  options: RefreshOptions,
): Promise<RefreshedCatalogue> {
  const at = options.now()
  const parts = partsOf(inForce)
  const changes: PriceChanges[] = []
  // Providers are processed one at a time and compared offers are released, because a single provider has many.
  for (const importer of importers) {
    const { key } = importer.provider
    const { part, moved } = await refreshPart(importer, parts.get(key) ?? nothingOf(importer), at, options)
    parts.set(key, part)
    for (const change of moved) changes.push(change)
  }
  const kept = [...parts.values()].filter(({ manifest }) => manifest.offers > 0 || manifest.refresh)
  const manifest: BuildManifest = {
    builtAt: new Date(at).toISOString(),
    exchange: latestExchange(inForce.manifest.exchange, kept),
    providers: kept.map((part) => part.manifest),
  }
  const bytes = encodeSnapshot(
    kept.values().flatMap(({ offers }) => offers()),
    kept.flatMap(({ zones }) => zones),
    manifest,
  )
  const { id } = decodeSnapshot(bytes)
  return { id, bytes, manifest, changes, fresh: freshOf(importers, manifest) }
}

async function refreshPart(
  importer: Importer,
  part: Part,
  at: number,
  options: RefreshOptions,
): Promise<{ part: Part; moved: readonly PriceChanges[] }> {
  const { key } = importer.provider
  const before = { ...part, offers: [...part.offers()] }
  const { offers, zones, manifest } = await refreshProvider(importer, before, options)
  if (offers === before.offers) return { part: { ...part, zones, manifest }, moved: [] }
  const withAdditions = (before.manifest.refresh?.historySince ?? null) !== null
  const moved = priceChangesBetween(before.offers, offers, { provider: key, at, withAdditions })
  return { part: { offers: keptSmall(offers), zones, manifest }, moved }
}

/** One provider's part of a catalogue; its offers are made when asked for, since all of them at once are many. */
interface Part extends Omit<ProviderPrices, 'offers'> {
  offers(): Iterable<Offer>
}

function partsOf({ columns, zones, manifest }: Snapshot): Map<string, Part> {
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
function keptSmall(offers: readonly Offer[]): Part['offers'] {
  const columns = buildOfferColumns(offers)
  return () => viewsIn(columns)
}

function nothingOf({ provider, currency }: Importer): Part {
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

/** Each provider records its own rate; this is the newest of all. */
function latestExchange(before: ExchangeRate | null, parts: readonly Part[]): ExchangeRate | null {
  return parts.reduce((latest, { manifest: { exchange } }) => {
    if (exchange === undefined) return latest
    return latest === null || exchange.day > latest.day ? exchange : latest
  }, before)
}

const freshOf = (importers: readonly Importer[], { providers }: BuildManifest): number =>
  importers.filter(({ provider: { key } }) => {
    const outcome = providers.find(({ provider }) => provider === key)?.refresh?.outcome
    return outcome === 'fresh' || outcome === 'unchanged'
  }).length
