import '../../runtime/node-24.ts'
import { providers } from '../../providers/providers.ts'
import { Transferred } from '../../runtime/request-channel.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { addEnabledProviders } from '../load-catalogue.ts'
import { decodeSnapshot } from '../snapshot/snapshot.ts'
import { detachCatalogue } from '../snapshot/transfer.ts'
import type { UnpackedCatalogue, UnpackWork } from './follow.ts'

serveOnce(async ({ bytes, providers: keys }: UnpackWork) => {
  const on = providers.filter(({ key }) => keys.includes(key))
  const { catalogue, manifest } = await addEnabledProviders(decodeSnapshot(bytes), on)
  const { moved, buffers } = detachCatalogue(catalogue)
  return new Transferred({ moved, manifest } satisfies UnpackedCatalogue, buffers)
})
