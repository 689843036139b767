import '../node-24.ts'
import { workerData } from 'node:worker_threads'
import { withMore } from '../catalogue/load-catalogue.ts'
import { decodeSnapshot } from '../catalogue/snapshot/snapshot.ts'
import { takeApart } from '../catalogue/snapshot/transfer.ts'
import { providers } from '../importers/providers.ts'
import { respondOnce } from '../runtime/run-once.ts'
import type { UnpackedCatalogue, UnpackWork } from './unpack.ts'

const { bytes, providers: keys } = workerData as UnpackWork

await respondOnce(async () => {
  const on = providers.filter(({ key }) => keys.includes(key))
  const { catalogue, manifest } = await withMore(decodeSnapshot(bytes), on)
  const { moved, buffers } = takeApart(catalogue)
  return { result: { moved, manifest } satisfies UnpackedCatalogue, buffers }
})
