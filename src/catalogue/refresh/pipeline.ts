import type { BuildManifest, ProviderManifest } from '../../domain/manifest.ts'
import { usageTypes } from '../../domain/offer.ts'
import { dayMs } from '../../domain/time.ts'
import { ImportFailure } from '../../providers/fetching/http/failure.ts'
import { type Importer, LastGood } from '../../providers/fetching/importer.ts'
import { type Imported, runImporter } from '../../providers/fetching/run-importer.ts'
import type { Leases } from '../../store/port.ts'
import type { PriceChanges, PriceStore } from '../../store/port-prices.ts'
import { withLease } from '../../store/with-lease.ts'
import { encodeSnapshot, type Snapshot, snapshotId } from '../snapshot/snapshot.ts'
import { holdBackDrops, reasonToRefuse } from './check.ts'
import { historyDays, priceChangesBetween } from './price-changes.ts'
import {
  compactPart,
  emptyPart,
  latestExchange,
  type ProviderPart,
  type ProviderPrices,
  partsOf,
  type RefreshedCatalogue,
  type RefreshOptions,
  type RefreshReport,
  refreshReport,
} from './provider-prices.ts'

// The refresh pipeline: schedule.ts starts it, each function below is a part of it in order, and follow.ts loads the
// published catalogue on every node. refreshAndPublish() runs in the service; its deps.refresh starts a thread
// (prepare.ts, refresh-worker.ts) in which the functions from refreshCatalogue() on run.

export interface PublishDeps {
  readonly store: { readonly prices: PriceStore; readonly leases: Leases }
  /** The catalogue that came with this release, or that the operator named. */
  shipped(): Promise<Uint8Array>
  refresh(catalogues: readonly Uint8Array[]): Promise<RefreshedCatalogue>
  now(): number
  readonly holder: string
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly refreshed: RefreshedCatalogue }
  /** No list was read. The prices and their date stay; only the outcome of each provider was recorded. */
  | { readonly kind: 'kept'; readonly refreshed: RefreshedCatalogue }
  /** Another node is refreshing the prices, or was faster. */
  | { readonly kind: 'elsewhere' }

/** Refreshes the current catalogue and publishes the new one to all nodes. Only one node at a time does this. */
export async function refreshAndPublish(deps: PublishDeps): Promise<PublishOutcome> {
  const term = { ttlMs: leaseMs, holder: deps.holder }
  const outcome = await withLease(
    deps.store.leases,
    refreshLease,
    term,
    async (): Promise<PublishOutcome> => {
      const inForce = await cataloguesInForce(deps)
      const refreshed = await deps.refresh(inForce.catalogues)
      if (!(await publishCatalogue(deps, refreshed, inForce.id))) return { kind: 'elsewhere' }
      await pruneHistory(deps)
      return { kind: refreshed.fresh > 0 ? 'published' : 'kept', refreshed }
    },
  )
  return outcome ?? { kind: 'elsewhere' }
}

export const refreshLease = 'refresh-prices'
/** Short, so that a refresh that was killed does not keep the next one waiting for long. */
const leaseMs = 30_000

/** The newest is the current one. The refresh finds out which that is, because unpacking takes long. `id`: the published one. */
async function cataloguesInForce({
  store,
  shipped,
}: PublishDeps): Promise<{ id: string | null; catalogues: Uint8Array[] }> {
  const [published, own] = await Promise.all([store.prices.latest(), shipped()])
  if (published === undefined) return { id: null, catalogues: [own] }
  return { id: published.id, catalogues: [published.bytes, own] }
}

/** Returns false if the lease was lost and another node published first, whose catalogue is then the current one. */
function publishCatalogue(
  { store, now }: PublishDeps,
  { id, bytes, changes }: RefreshedCatalogue,
  builtOn: string | null,
): Promise<boolean> {
  return store.prices.publish({ id, publishedAt: now(), bytes }, builtOn, changes)
}

async function pruneHistory({ store, now }: PublishDeps): Promise<void> {
  for (const usage of usageTypes) await store.prices.prune(usage, now() - historyDays[usage] * dayMs)
}

/** Runs in a thread, provider by provider. The prices of a provider are replaced as a whole or kept as a whole. */
export async function refreshCatalogue(
  importers: readonly Importer[],
  inForce: Snapshot,
  options: RefreshOptions,
): Promise<RefreshedCatalogue> {
  const at = options.now()
  const parts = partsOf(inForce)
  const changes: PriceChanges[] = []
  // One provider at a time, and its old offers are released after the comparison, because the offers of a
  // single provider are many.
  for (const importer of importers) {
    const { key } = importer.provider
    const { part, moved } = await refreshPart(importer, parts.get(key) ?? emptyPart(importer), at, options)
    parts.set(key, part)
    for (const change of moved) changes.push(change)
  }
  const kept = [...parts.values()].filter(({ manifest }) => manifest.offers > 0 || manifest.refresh)
  const providers = kept.map((part) => part.manifest)
  const fresh = countFresh(importers, providers)
  const manifest: BuildManifest = {
    // Prices that were neither read nor confirmed keep their date. The outcomes are recorded all the same: the schedule,
    // the metrics and GET /catalogue of all nodes take them from here.
    builtAt: fresh > 0 ? new Date(at).toISOString() : inForce.manifest.builtAt,
    exchange: latestExchange(inForce.manifest.exchange, kept),
    providers,
  }
  const bytes = encodeSnapshot(
    kept.values().flatMap(({ offers }) => offers()),
    kept.flatMap(({ zones }) => zones),
    manifest,
  )
  return { id: snapshotId(bytes), bytes, manifest, changes, fresh }
}

async function refreshPart(importer: Importer, part: ProviderPart, at: number, options: RefreshOptions) {
  const { key } = importer.provider
  const before = { ...part, offers: [...part.offers()] }
  const { offers, zones, manifest } = await refreshProvider(importer, before, options)
  if (offers === before.offers) return { part: { ...part, zones, manifest }, moved: [] }
  const withAdditions = (before.manifest.refresh?.historySince ?? null) !== null
  const moved = priceChangesBetween(before.offers, offers, { provider: key, at, withAdditions })
  return { part: compactPart(offers, zones, manifest), moved }
}

/** Returns the provider's new prices, or its old ones with the reason why they are kept. Rejects only if it is stopped. */
async function refreshProvider(importer: Importer, before: ProviderPrices, options: RefreshOptions) {
  const report = refreshReport(importer.provider.key, before, options)
  try {
    const imported = await fetchAndMap(importer, before, options, report)
    if (imported.unchanged) return report.unchanged(imported)
    const doubt = doubtAbout(imported, before, options)
    if (doubt !== undefined) return report.keepOld('refused', doubt)
    const held = options.accept ? acceptAll(imported) : holdBackDrops(imported.offers, before.offers)
    return report.fresh(imported, held)
  } catch (error) {
    if (!(error instanceof ImportFailure)) return report.keepOld('failed', `unexpected: ${nameOf(error)}`)
    if (error.code === 'stopped') throw error
    const outcome = error.code === 'needs-credential' ? error.code : 'failed'
    return report.keepOld(outcome, error.message, error.code)
  }
}

function fetchAndMap(
  importer: Importer,
  before: ProviderPrices,
  options: RefreshOptions,
  report: RefreshReport,
): Promise<Imported> {
  const validators = before.manifest.refresh?.validators
  const regions = options.regions?.[importer.provider.key]
  const { regions: _, ...shared } = options
  return runImporter(importer, {
    ...shared,
    ...(regions === undefined ? {} : { regions }),
    lastGood: new LastGood(before.offers, before.zones),
    ...(validators === undefined ? {} : { validators }),
    onProgress: report.progress,
  })
}

/** An operator may accept any list but an empty one. */
function doubtAbout(
  { offers, manifest }: Imported,
  before: ProviderPrices,
  { accept = false }: RefreshOptions,
): string | undefined {
  return accept && offers.length > 0 ? undefined : reasonToRefuse(offers, before.offers, manifest.quarantined)
}

const acceptAll = ({ offers }: Imported) => ({ offers, quarantined: [] })

/** The class of an unexpected error says where to look; its message might disclose too much. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'failure')

const countFresh = (importers: readonly Importer[], providers: readonly ProviderManifest[]): number =>
  importers.filter(({ provider: { key } }) => {
    const outcome = providers.find(({ provider }) => provider === key)?.refresh?.outcome
    return outcome === 'fresh' || outcome === 'unchanged'
  }).length
