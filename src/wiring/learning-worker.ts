import '../node-24.ts'
import { learnModel } from '../operations/learn-model.ts'
import { serveOnce } from '../runtime/worker-thread.ts'
import { openStore } from '../store/open.ts'
import type { LearningWork } from './learning-thread.ts'

/** Trains the model of one organisation in its own thread, over its own database connection. */
serveOnce(async ({ store: address, ...work }: LearningWork) => {
  const store = await openStore(address)
  try {
    await learnModel(store, work)
  } finally {
    await store.close()
  }
})
