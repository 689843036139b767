import '../node-24.ts'
import { workerData } from 'node:worker_threads'
import { decodeSnapshot } from '../catalogue/snapshot/snapshot.ts'
import { importers } from '../importers/live/importers.ts'
import { respondOnce } from '../runtime/run-once.ts'
import { newestCatalogue } from './publish.ts'
import { refreshCatalogue } from './refresh-catalogue.ts'
import type { ProgressLine, RefreshWork } from './refresh-thread.ts'

const { catalogues, providers, secrets, endpoints, accept } = workerData as RefreshWork

await respondOnce(async (say) => {
  const tell = (line: ProgressLine) => say(line)
  const chosen = importers.filter(({ provider }) => providers?.includes(provider.key) ?? true)
  const result = await refreshCatalogue(chosen, newestCatalogue(catalogues.map(decodeSnapshot)), {
    secret: (name) => secrets[name],
    endpoints,
    accept,
    now: Date.now,
    onProgress: tell,
    fetching: {
      onWait: ({ place, ms, why }) =>
        tell({ provider: '', text: `${why}; ${place} again in ${Math.ceil(ms / 1000)} s` }),
    },
  })
  return { result }
})
