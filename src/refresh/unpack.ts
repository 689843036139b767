import { catalogueRules, type LoadedCatalogue } from '../catalogue/load-catalogue.ts'
import { attachCatalogue, type TransferredCatalogue } from '../catalogue/snapshot/transfer.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import type { Provider } from '../domain/provider.ts'
import { runOnce } from '../runtime/run-once.ts'

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
