import type { BuildManifest } from '../domain/manifest.ts'
import type { PriceStore } from '../store/port-prices.ts'
import type { LoadedCatalogue } from './load-catalogue.ts'
import { isNewer } from './refresh-and-publish.ts'

export interface FollowDeps {
  readonly store: { readonly prices: PriceStore }
  /** Of what is served now. */
  served(): BuildManifest
  unpack(bytes: Uint8Array): Promise<LoadedCatalogue>
  /** Serves another in its place. */
  serve(next: LoadedCatalogue): void
}

/** Brings a published catalogue into service, at the start and whenever the topic 'catalogue' moved. */
export function catalogueFollower({ store, served, unpack, serve }: FollowDeps): () => Promise<void> {
  let seen: string | undefined
  return async () => {
    const id = await store.prices.latestId()
    if (id === undefined || id === seen) return
    const published = await store.prices.latest()
    if (published === undefined) return
    const next = await unpack(published.bytes)
    // A release that came later than the last refresh has the newer prices; so may one that was unpacked meanwhile.
    if (!isNewer(served(), next.manifest)) serve(next)
    seen = published.id
  }
}
