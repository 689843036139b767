import '../../runtime/node-24.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { openStore } from '../../store/open.ts'
import { loadDemo } from '../demo/load-demo.ts'
import type { DemoWork } from './demo-part.ts'

serveOnce(async ({ dataDirectory, databaseUrl, now }: DemoWork) => {
  const store = await openStore({ dataDirectory, ...(databaseUrl === '' ? {} : { databaseUrl }) })
  try {
    return await loadDemo(store, now)
  } finally {
    await store.close()
  }
})
