import type { BuildManifest, RefreshNote } from '../../domain/manifest.ts'
import { hourMs } from '../../domain/time.ts'
import { importers } from '../../providers/importers.ts'
import { decodeSnapshot } from '../snapshot/snapshot.ts'
import { importersOf, readCredentials, readEndpoints } from './prepare.ts'
import { nextRefreshAt } from './schedule.ts'

export { NoPriceList } from './prepare.ts'

/** A list that is larger than this is read seven times less often. */
const largeListBytes = 50_000_000

interface PriceList {
  readonly provider: string
  readonly addresses: readonly string[]
  /** Credentials without which it cannot be read, and are not given; empty if it can be read. */
  readonly missingCredentials: readonly string[]
  /** Bytes that were read when it was last read; null if that was never measured. */
  readonly bytes: number | null
  readonly inUseOnly: boolean
  /** Hours from one refresh to the next; 0 if the service does not refresh by itself. */
  readonly everyHours: number
}

interface PriceListRequest {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly enabled?: readonly string[]
  /** Names of providers; those that are on if undefined. */
  readonly providers?: readonly string[] | undefined
  readonly hours: number
  readonly allRegions: boolean
  noteOf(provider: string): Pick<RefreshNote, 'bytes'> | undefined
}

/** Returns the lists of the providers that are turned on, or of the named ones. Throws NoPriceList. */
export function priceLists({ environment, enabled, providers, ...request }: PriceListRequest): PriceList[] {
  const given = readCredentials(importers, environment)
  const endpoints = readEndpoints(importers, environment)
  return importersOf(providers, enabled).map((importer) => {
    const { key } = importer.provider
    const { credential } = importer.needs
    const bytes = request.noteOf(key)?.bytes ?? null
    const isLarge = importer.isLarge === true || (bytes ?? 0) > largeListBytes
    return {
      provider: key,
      addresses: Object.entries(importer.endpoints).map(
        ([name, address]) => endpoints[`${key}.${name}`] ?? address,
      ),
      missingCredentials: credential.some((name) => given[name] !== undefined) ? [] : credential,
      bytes,
      inUseOnly: importer.isLarge === true && !request.allRegions,
      everyHours: request.hours * (isLarge ? 7 : 1),
    }
  })
}

type Notes = ReadonlyMap<string, Pick<RefreshNote, 'bytes'>>

/** What the published catalogue has recorded of each provider. */
export function recordedNotes(published: { readonly bytes: Uint8Array } | undefined): Notes {
  const providers = published === undefined ? [] : decodeSnapshot(published.bytes).manifest.providers
  return new Map(
    providers.flatMap(({ provider, refresh }) => (refresh === undefined ? [] : [[provider, refresh]])),
  )
}

interface CatalogueAnswer {
  readonly providers: readonly {
    readonly provider_key: string
    readonly refresh: { readonly bytes?: number | null } | null
  }[]
}

export const servedNotes = ({ providers }: CatalogueAnswer): Notes =>
  new Map(
    providers.flatMap(({ provider_key, refresh }) =>
      refresh?.bytes == null ? [] : [[provider_key, { bytes: refresh.bytes }]],
    ),
  )

/** One line for each list: whether and from where it can be read, its size, and how often a service reads it. */
export const priceListLine = ({ provider, addresses, bytes, ...list }: PriceList): string =>
  [
    `${provider}: ${list.missingCredentials.length === 0 ? 'can be read' : `needs ${list.missingCredentials.join(' or ')}`}`,
    addresses.join(' '),
    bytes === null ? 'size not measured' : `${(bytes / 1e6).toFixed(1)} MB when last read`,
    list.everyHours === 0
      ? 'not refreshed by itself'
      : `every ${list.everyHours} hours${list.inUseOnly ? ', regions in use only' : ''}`,
  ].join('; ')

/** Those that can be read, were last tried long enough ago and, if read only in use, have regions in use. */
export function dueLists(
  lists: readonly PriceList[],
  manifest: BuildManifest,
  inUse: ReadonlyMap<string, ReadonlySet<string>>,
  nowMs: number,
): PriceList[] {
  return lists.filter(({ provider, missingCredentials, inUseOnly, everyHours }) => {
    if (everyHours === 0 || missingCredentials.length > 0) return false
    if (inUseOnly && (inUse.get(provider)?.size ?? 0) === 0) return false
    const own = { ...manifest, providers: manifest.providers.filter((one) => one.provider === provider) }
    return nextRefreshAt(own, everyHours * hourMs) <= nowMs
  })
}
