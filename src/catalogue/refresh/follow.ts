import { type BuildManifest, isNewerManifest } from '../../domain/manifest.ts'
import type { Provider } from '../../domain/provider.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { PriceStore } from '../../store/port-prices.ts'
import { catalogueRules, type LoadedCatalogue } from '../load-catalogue.ts'
import { attachCatalogue, type TransferredCatalogue } from '../snapshot/transfer.ts'

interface FollowDeps {
  readonly store: { readonly prices: PriceStore }
  served(): BuildManifest
  unpack(bytes: Uint8Array): Promise<LoadedCatalogue>
  serve(next: LoadedCatalogue): void
  /** Called once for each published catalogue that cannot be read, for example because a newer version wrote it. */
  onUnreadable(error: Error): void
}

/**
 * Returns a function that starts serving the published catalogue, to be called at the start and whenever the topic
 * 'catalogue' changes. With `force` it also reads a catalogue that it has seen before, because something else has
 * been served in the meantime.
 */
export function catalogueFollower(
  deps: FollowDeps,
): (options?: { readonly force: boolean }) => Promise<void> {
  const { store, served, unpack, serve, onUnreadable } = deps
  let seen: string | undefined
  return async ({ force } = { force: false }) => {
    if (force) seen = undefined
    const id = await store.prices.latestId()
    if (id === undefined || id === seen) return
    const published = await store.prices.latest()
    if (published === undefined) return
    const next = await unpack(published.bytes).catch((error: Error) => {
      onUnreadable(error)
      return undefined
    })
    // The served catalogue is newer if its release came after the last refresh, or if a newer one was
    // unpacked in the meantime.
    if (next !== undefined && !isNewerManifest(served(), next.manifest)) serve(next)
    seen = published.id
  }
}

export interface UnpackWork {
  readonly bytes: Uint8Array
  readonly providers: readonly string[]
}

export interface UnpackedCatalogue {
  readonly moved: TransferredCatalogue
  readonly manifest: BuildManifest
}

/** Decodes and indexes a catalogue in its own thread, so that requests are answered in the meantime. */
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
