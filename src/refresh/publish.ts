import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { BuildManifest } from '../domain/manifest.ts'
import { type Offer, type PriceChange, type UsageType, usageTypes } from '../domain/offer.ts'
import { dayMs } from '../domain/time.ts'
import { offerKey } from '../importers/live/to-offers.ts'
import type { Leases } from '../store/port.ts'
import type { PriceChanges, PriceStore } from '../store/port-prices.ts'
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

interface PriceChangeOptions {
  readonly provider: string
  readonly at: number
  /** Prices that were not there before count as new. Not so when a first list is compared with what came before lists. */
  readonly withAdditions: boolean
}

/** The changes, one record for each type and usage type. */
export function priceChangesBetween(
  before: readonly Offer[],
  after: readonly Offer[],
  { provider, at, withAdditions }: PriceChangeOptions,
): PriceChanges[] {
  const groups = new Map<string, { instanceType: string; usageType: UsageType; changes: PriceChange[] }>()
  const add = (offer: Offer, was: number | null, is: number | null) => {
    const { instanceType, usageType, region, zone, operatingSystem, term } = offer
    const key = `${instanceType}\n${usageType}`
    const group = groups.get(key) ?? { instanceType, usageType, changes: [] }
    groups.set(key, group)
    group.changes.push({ region, zone, operatingSystem, term, before: was, after: is })
  }
  const old = new Map(before.map((offer) => [offerKey(offer), offer]))
  for (const offer of after) {
    const was = old.get(offerKey(offer))
    old.delete(offerKey(offer))
    if (was === undefined) {
      if (withAdditions) add(offer, null, offer.pricePerHourUsd)
    } else if (was.pricePerHourUsd !== offer.pricePerHourUsd)
      add(offer, was.pricePerHourUsd, offer.pricePerHourUsd)
  }
  for (const offer of old.values()) add(offer, offer.pricePerHourUsd, null)
  return [...groups.values()].map(({ instanceType, usageType, changes }) => ({
    provider,
    instanceType,
    usageType,
    at,
    packed: packChanges(changes),
  }))
}

/**
 * JSON, deflated, in columns, since what is alike then lies together:
 *
 *     [regions, zones, systems, terms, before, after]
 *
 * each an array of as many items as there are changes. 70 spot prices take about 700 bytes.
 */
export function packChanges(changes: readonly PriceChange[]): Uint8Array {
  const sorted = changes.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const columns = columnNames.map((name) => sorted.map((change) => change[name]))
  return new Uint8Array(deflateRawSync(JSON.stringify(columns), { level: 9 }))
}

export function unpackChanges(packed: Uint8Array): PriceChange[] {
  const columns = JSON.parse(
    inflateRawSync(packed, { maxOutputLength: mostUnpackedBytes }).toString(),
  ) as unknown[][]
  return columns[0]!.map(
    (_, i) =>
      Object.fromEntries(columnNames.map((name, c) => [name, columns[c]![i]])) as unknown as PriceChange,
  )
}

const columnNames = ['region', 'zone', 'operatingSystem', 'term', 'before', 'after'] as const
const mostUnpackedBytes = 64 * 1024 * 1024

const placeOf = ({ region, zone, operatingSystem, term }: PriceChange): string =>
  `${region}\n${zone}\n${operatingSystem}\n${term}`
