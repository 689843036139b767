import type { BuildManifest } from '../domain/manifest.ts'
import { usageTypes } from '../domain/offer.ts'
import { dayMs } from '../domain/time.ts'
import type { Leases } from '../store/port.ts'
import type { PriceStore } from '../store/port-prices.ts'
import type { RefreshedCatalogue } from './provider-prices.ts'

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
/** How long price changes are kept. */
export const historyDays = { SPOT_PREEMPTIBLE: 120, ONDEMAND: 1_100, RESERVED: 1_100 } as const

/** Holds the lease while the work goes on. */
export async function withRefreshLease(
  { store: { leases }, holder }: PublishDeps,
  work: () => Promise<PublishOutcome>,
): Promise<PublishOutcome> {
  const acquire = () => leases.acquire(refreshLease, holder, leaseMs)
  if (!(await acquire())) return { kind: 'elsewhere' }
  const renewal = setInterval(() => void acquire().catch(() => undefined), leaseMs / 4)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await leases.release(refreshLease, holder).catch(() => undefined)
  }
}

/** What may be in force: unpacking them to see takes long, so that is left to the refresh. `id` is the published one's. */
export async function cataloguesInForce({
  store,
  shipped,
}: PublishDeps): Promise<{ id: string | null; catalogues: Uint8Array[] }> {
  const [published, own] = await Promise.all([store.prices.latest(), shipped()])
  if (published === undefined) return { id: null, catalogues: [own] }
  return { id: published.id, catalogues: [published.bytes, own] }
}

/** False where the lease was lost meanwhile: the other node's catalogue is in force, and this one is not published. */
export function publishCatalogue(
  { store, now }: PublishDeps,
  { id, bytes, changes }: RefreshedCatalogue,
  builtOn: string | null,
): Promise<boolean> {
  return store.prices.publish({ id, publishedAt: now(), bytes }, builtOn, changes)
}

export async function pruneHistory({ store, now }: PublishDeps): Promise<void> {
  for (const usage of usageTypes) await store.prices.prune(usage, now() - historyDays[usage] * dayMs)
}

/** The newer of the published and the shipped catalogue, so that an old refresh does not undo the facts of a new release. */
export function newestCatalogue<T extends { readonly manifest: BuildManifest }>(catalogues: readonly T[]): T {
  return catalogues.reduce((newest, one) => (isNewerManifest(one.manifest, newest.manifest) ? one : newest))
}

export const isNewerManifest = (one: BuildManifest, other: BuildManifest): boolean =>
  Date.parse(one.builtAt) > Date.parse(other.builtAt)
