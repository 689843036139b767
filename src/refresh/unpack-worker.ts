import '../node-24.ts'
import { workerData } from 'node:worker_threads'
import { withEnabledProviders } from '../catalogue/load-catalogue.ts'
import { decodeSnapshot } from '../catalogue/snapshot/snapshot.ts'
import { detachCatalogue } from '../catalogue/snapshot/transfer.ts'
import { providers } from '../importers/providers.ts'
import { respondOnce } from '../runtime/run-once.ts'
import type { UnpackedCatalogue, UnpackWork } from './unpack.ts'

const { bytes, providers: keys } = workerData as UnpackWork

await respondOnce(async () => {
  const on = providers.filter(({ key }) => keys.includes(key))
  const { catalogue, manifest } = await withEnabledProviders(decodeSnapshot(bytes), on)
  const { moved, buffers } = detachCatalogue(catalogue)
  return { result: { moved, manifest } satisfies UnpackedCatalogue, buffers }
})
