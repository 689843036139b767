import '../node-24.ts'
import { encodeModel } from '../operations/learn-sizes/model-codec.ts'
import { readFleet } from '../operations/learn-sizes/read-fleet.ts'
import { trainModel } from '../rightsizing/model/model.ts'
import { serveOnce } from '../runtime/run-once.ts'
import { openStore } from '../store/open.ts'
import type { LearningWork } from './learning-thread.ts'

/** Learns one organisation's model on a thread and a database connection of its own. */
serveOnce(async ({ organisation, store: address, hours, mostSeries, learntAt }: LearningWork) => {
  const store = await openStore(address)
  try {
    const model = trainModel(await readFleet(store.usage, organisation, hours, mostSeries))
    await store.models.write(organisation, encodeModel(model, learntAt))
  } finally {
    await store.close()
  }
})
