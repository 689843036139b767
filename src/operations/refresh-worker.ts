import { parentPort, workerData } from 'node:worker_threads'
import { decodeSnapshot } from '../catalogue/snapshot.ts'
import { importers } from '../importers/live/importers.ts'
import { refreshPrices } from './refresh-prices.ts'
import type { FromRefresh, ThreadWork } from './refresh-thread.ts'

const port = parentPort!
const send = (message: FromRefresh) => port.postMessage(message)
const { bytes, providers, secrets, endpoints, accept } = workerData as ThreadWork

try {
  const chosen = importers.filter(({ provider }) => providers?.includes(provider.key) ?? true)
  const refreshed = await refreshPrices(chosen, decodeSnapshot(bytes), {
    secret: (name) => secrets[name],
    endpoints,
    accept,
    now: Date.now,
    onProgress: (line) => send({ kind: 'progress', line }),
    fetching: {
      onWait: ({ place, ms, why }) =>
        send({
          kind: 'progress',
          line: { provider: '', text: `${why}; ${place} again in ${Math.ceil(ms / 1000)} s` },
        }),
    },
  })
  send({ kind: 'done', refreshed })
} catch (error) {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
