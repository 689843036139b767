import '../node-24.ts'
import { loadDemo } from '../operations/load-demo/load-demo.ts'
import { serveOnce } from '../runtime/worker-thread.ts'
import { openStore } from '../store/open.ts'
import type { DemoWork } from './demo-part.ts'

/** Loads the demo on a thread and a database connection of its own. */
serveOnce(async ({ dataFolder, databaseUrl, now }: DemoWork) => {
  const store = await openStore({ dataFolder, ...(databaseUrl === '' ? {} : { databaseUrl }) })
  try {
    return await loadDemo(store, now)
  } finally {
    await store.close()
  }
})
