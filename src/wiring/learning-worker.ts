import '../node-24.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { encodeModel } from '../operations/learn-sizes/model-codec.ts'
import { readFleet } from '../operations/learn-sizes/read-fleet.ts'
import { trainModel } from '../rightsizing/model/model.ts'
import { openStore } from '../store/open.ts'
import type { LearningWork } from './learning-thread.ts'

/** Learns one organisation's model on a thread and a database connection of its own, then ends. */
const { organisation, dataFolder, databaseUrl, hours, mostSeries, learntAt } = workerData as LearningWork
const store = await openStore({ dataFolder, ...(databaseUrl === '' ? {} : { databaseUrl }) })
try {
  const model = trainModel(await readFleet(store.usage, organisation, hours, mostSeries))
  await store.models.write(organisation, encodeModel(model, learntAt))
  parentPort!.postMessage('done')
} finally {
  await store.close()
}
