import '../node-24.ts'
import { learnModel } from '../operations/learn-sizes/learn-model.ts'
import { serveOnce } from '../runtime/worker-thread.ts'
import { openStore } from '../store/open.ts'
import type { LearningWork } from './learning-thread.ts'

/** Learns one organisation's model on a thread and a database connection of its own. */
serveOnce(async ({ store: address, ...work }: LearningWork) => {
  const store = await openStore(address)
  try {
    await learnModel(store, work)
  } finally {
    await store.close()
  }
})
