import type { BuildManifest, ProviderManifest } from '../domain/manifest.ts'
import type { Leases } from '../store/port.ts'
import type { PriceStore } from '../store/port-prices.ts'
import type { RefreshedCatalogue } from './refresh-catalogue.ts'

export interface PublishDeps {
  readonly store: { readonly prices: PriceStore; readonly leases: Leases }
  /** The catalogue that came with this release, or that the operator named. */
  shipped(): Promise<Uint8Array>
  /** Refreshes the newest of these catalogues. */
  refresh(catalogues: readonly Uint8Array[]): Promise<RefreshedCatalogue>
  now(): number
  /** Names this node and run. */
  readonly holder: string
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly refreshed: RefreshedCatalogue }
  /** Another node is at it, or was faster. */
  | { readonly kind: 'elsewhere' }

export const refreshLease = 'refresh-prices'
const leaseMs = 120_000
const dayMs = 86_400_000
/** How long price changes are kept. */
export const historyDays = { SPOT_PREEMPTIBLE: 120, ONDEMAND: 1_100, RESERVED: 1_100 } as const

/** Refreshes the current catalogue and publishes the new one to all nodes. One node at a time does it. */
export async function refreshAndPublish(deps: PublishDeps): Promise<PublishOutcome> {
  const { prices, leases } = deps.store
  if (!(await leases.acquire(refreshLease, deps.holder, leaseMs))) return { kind: 'elsewhere' }
  const renewal = setInterval(
    () => void leases.acquire(refreshLease, deps.holder, leaseMs).catch(() => undefined),
    leaseMs / 4,
  )
  try {
    const { builtOn, catalogues } = await candidates(deps)
    const refreshed = await deps.refresh(catalogues)
    const catalogue = { id: refreshed.id, publishedAt: deps.now(), bytes: refreshed.bytes }
    // If the lease was lost meanwhile, the catalogue of the other node is current and this one is not published.
    if (!(await prices.publish(catalogue, builtOn, refreshed.changes))) return { kind: 'elsewhere' }
    for (const usage of ['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE'] as const)
      await prices.prune(usage, deps.now() - historyDays[usage] * dayMs)
    return { kind: 'published', refreshed }
  } finally {
    clearInterval(renewal)
    await leases.release(refreshLease, deps.holder).catch(() => undefined)
  }
}

/** Candidates for the current catalogue. Unpacking them to compare takes long, so the refresh thread does it. */
async function candidates({
  store,
  shipped,
}: PublishDeps): Promise<{ builtOn: string | null; catalogues: Uint8Array[] }> {
  const [published, own] = await Promise.all([store.prices.latest(), shipped()])
  if (published === undefined) return { builtOn: null, catalogues: [own] }
  return { builtOn: published.id, catalogues: [published.bytes, own] }
}

/** The newer of the published and the shipped catalogue, so that an old refresh does not undo the facts of a new release. */
export function newestCatalogue<T extends { readonly manifest: BuildManifest }>(catalogues: readonly T[]): T {
  return catalogues.reduce((newest, one) => (isNewerManifest(one.manifest, newest.manifest) ? one : newest))
}

export const isNewerManifest = (one: BuildManifest, other: BuildManifest): boolean =>
  Date.parse(one.builtAt) > Date.parse(other.builtAt)

const retryMs = 3 * 3_600_000

/** When the next refresh is due: a day after the last, or a few hours after one in which a provider could not be reached. */
export function nextRefreshAt(manifest: BuildManifest, everyMs: number): number {
  const tried = manifest.providers.flatMap(({ refresh }) => (refresh === undefined ? [] : [refresh]))
  if (tried.length === 0) return 0
  const last = Math.max(...tried.map(({ at }) => Date.parse(at)))
  const failed = tried.some(({ outcome, at }) => outcome === 'failed' && Date.parse(at) === last)
  return last + (failed ? Math.min(everyMs, retryMs) : everyMs)
}

/** How old each provider's prices are, for metrics and the console. */
export interface Freshness {
  readonly provider: string
  readonly outcome: NonNullable<ProviderManifest['refresh']>['outcome'] | 'never'
  readonly reason: string
  /** The newest day of a price, YYYY-MM-DD; '' where there is none. */
  readonly newestDay: string
  /** Since the prices were last taken or confirmed; null where that never happened. */
  readonly ageSeconds: number | null
  readonly triedAt: string | null
}

export function freshnessOf({ providers }: BuildManifest, nowMs: number): Freshness[] {
  return providers.map(({ provider, sources, refresh }) => ({
    provider,
    outcome: refresh?.outcome ?? 'never',
    reason: refresh?.reason ?? '',
    newestDay: sources.reduce((newest, { day }) => (day > newest ? day : newest), ''),
    ageSeconds:
      refresh === undefined || refresh.freshAt === null
        ? null
        : Math.max(0, (nowMs - Date.parse(refresh.freshAt)) / 1000),
    triedAt: refresh?.at ?? null,
  }))
}
