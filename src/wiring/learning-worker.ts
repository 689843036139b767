import { parentPort, workerData } from 'node:worker_threads'
import { readFleet } from '../operations/recommend-sizes/read-fleet.ts'
import { trainModel } from '../rightsizing/model.ts'
import { openStore } from '../store/open.ts'
import type { LearningWork } from './learning-thread.ts'

/** Learns one organisation's model on a thread and a database connection of its own, then ends. */
const { organisation, dataFolder, databaseUrl, hours, mostSeries } = workerData as LearningWork
const store = await openStore({ dataFolder, ...(databaseUrl === '' ? {} : { databaseUrl }) })
try {
  parentPort!.postMessage(trainModel(await readFleet(store.usage, organisation, hours, mostSeries)))
} finally {
  await store.close()
}
