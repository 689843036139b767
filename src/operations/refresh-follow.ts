import { decodeSnapshot, type Snapshot } from '../catalogue/snapshot.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import type { PriceStore } from '../store/port-prices.ts'
import { isNewer } from './refresh-and-publish.ts'

export interface FollowDeps {
  readonly store: { readonly prices: PriceStore }
  /** Of what is served now. */
  served(): BuildManifest
  /** Serves another in its place. */
  serve(snapshot: Snapshot): Promise<void>
}

/** Brings a published catalogue into service, at the start and whenever the topic 'catalogue' moved. */
export function catalogueFollower({ store, served, serve }: FollowDeps): () => Promise<void> {
  let seen: string | undefined
  return async () => {
    const id = await store.prices.latestId()
    if (id === undefined || id === seen) return
    const published = await store.prices.latest()
    if (published === undefined) return
    const snapshot = decodeSnapshot(published.bytes)
    // A release that came later than the last refresh has the newer prices.
    if (!isNewer(served(), snapshot.manifest)) await serve(snapshot)
    seen = published.id
  }
}
