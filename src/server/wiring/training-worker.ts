import '../../runtime/node-24.ts'
import { trainAndStoreModel } from '../../decisions/train-model.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { openStore } from '../../store/open.ts'
import type { TrainingWork } from './training-thread.ts'

serveOnce(async ({ store: address, ...work }: TrainingWork) => {
  const store = await openStore(address)
  try {
    await trainAndStoreModel(store, work)
  } finally {
    await store.close()
  }
})
