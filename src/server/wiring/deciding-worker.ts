import '../../runtime/node-24.ts'
import '../../runtime/v8-flags.ts'
import { decideFromStore } from '../../decisions/decide-day.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { openStore } from '../../store/open.ts'
import type { DecidingWork } from './training-thread.ts'

serveOnce(async ({ store: address, organisation, now }: DecidingWork) => {
  const store = await openStore(address)
  try {
    await decideFromStore(store, organisation, now, new AbortController().signal)
  } finally {
    await store.close()
  }
})
