import '../node-24.ts'
import { decodeSnapshot } from '../catalogue/snapshot/snapshot.ts'
import { newestCatalogue } from '../domain/manifest.ts'
import { importers } from '../importers/live/importers.ts'
import { serveOnce } from '../runtime/worker-thread.ts'
import { refreshCatalogue } from './pipeline.ts'
import type { ProgressLine, RefreshWork } from './prepare.ts'

serveOnce(({ catalogues, providers, secrets, endpoints, accept }: RefreshWork, emit) => {
  const onProgress = (line: ProgressLine) => emit('progress', line)
  const chosen = importers.filter(({ provider }) => providers?.includes(provider.key) ?? true)
  return refreshCatalogue(chosen, newestCatalogue(catalogues.map(decodeSnapshot)), {
    secret: (name) => secrets[name],
    endpoints,
    accept,
    now: Date.now,
    onProgress,
    fetching: {
      onWait: ({ ms, why }) =>
        onProgress({ provider: '', text: `${why}; next attempt in ${Math.ceil(ms / 1000)} s` }),
    },
  })
})
