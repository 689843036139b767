import '../node-24.ts'
import { addEnabledProviders } from '../catalogue/load-catalogue.ts'
import { decodeSnapshot } from '../catalogue/snapshot/snapshot.ts'
import { detachCatalogue } from '../catalogue/snapshot/transfer.ts'
import { providers } from '../importers/providers.ts'
import { Transferred } from '../runtime/request-channel.ts'
import { serveOnce } from '../runtime/worker-thread.ts'
import type { UnpackedCatalogue, UnpackWork } from './follow.ts'

serveOnce(async ({ bytes, providers: keys }: UnpackWork) => {
  const on = providers.filter(({ key }) => keys.includes(key))
  const { catalogue, manifest } = await addEnabledProviders(decodeSnapshot(bytes), on)
  const { moved, buffers } = detachCatalogue(catalogue)
  return new Transferred({ moved, manifest } satisfies UnpackedCatalogue, buffers)
})
