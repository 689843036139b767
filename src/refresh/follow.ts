import { catalogueRules, type LoadedCatalogue } from '../catalogue/load-catalogue.ts'
import { attachCatalogue, type TransferredCatalogue } from '../catalogue/snapshot/transfer.ts'
import { type BuildManifest, isNewerManifest } from '../domain/manifest.ts'
import type { Provider } from '../domain/provider.ts'
import { runOnce } from '../runtime/worker-thread.ts'
import type { PriceStore } from '../store/port-prices.ts'

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

export interface UnpackWork {
  readonly bytes: Uint8Array
  /** Keys of those that are on. */
  readonly providers: readonly string[]
}

export interface UnpackedCatalogue {
  readonly moved: TransferredCatalogue
  readonly manifest: BuildManifest
}

/** Decodes and indexes a catalogue in a thread of its own, so that others are answered meanwhile. */
export async function unpackInThread(
  bytes: Uint8Array,
  providers: readonly Provider[],
): Promise<LoadedCatalogue> {
  const work: UnpackWork = { bytes, providers: providers.map(({ key }) => key) }
  const { moved, manifest } = await runOnce<UnpackedCatalogue>({
    script: new URL('./unpack-worker.ts', import.meta.url),
    work,
    seesEnvironment: false,
  })
  return { catalogue: attachCatalogue(moved, catalogueRules(providers)), manifest }
}
