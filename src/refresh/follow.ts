import type { LoadedCatalogue } from '../catalogue/load-catalogue.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import type { PriceStore } from '../store/port-prices.ts'
import { isNewerManifest } from './publish.ts'

interface FollowDeps {
  readonly store: { readonly prices: PriceStore }
  /** Manifest of the catalogue that is being served. */
  served(): BuildManifest
  unpack(bytes: Uint8Array): Promise<LoadedCatalogue>
  /** Serves another in its place. */
  serve(next: LoadedCatalogue): void
  /** Called once for each published catalogue that cannot be read, for example because a newer version wrote it. */
  onUnreadable(error: Error): void
}

/**
 * Brings a published catalogue into service, at the start and whenever the topic 'catalogue' moved. `afresh` looks at one
 * again that was seen before, for when something else was put into service meanwhile.
 */
export function catalogueFollower(deps: FollowDeps): (afresh?: 'afresh') => Promise<void> {
  const { store, served, unpack, serve, onUnreadable } = deps
  let seen: string | undefined
  return async (afresh) => {
    if (afresh !== undefined) seen = undefined
    const id = await store.prices.latestId()
    if (id === undefined || id === seen) return
    const published = await store.prices.latest()
    if (published === undefined) return
    const next = await unpack(published.bytes).catch((error: Error) => {
      onUnreadable(error)
      return undefined
    })
    // A release that came later than the last refresh has the newer prices; so may one that was unpacked meanwhile.
    if (next !== undefined && !isNewerManifest(served(), next.manifest)) serve(next)
    seen = published.id
  }
}
