import '../../runtime/node-24.ts'
import { newestCatalogue } from '../../domain/manifest.ts'
import { recordInto } from '../../providers/fetching/http/record.ts'
import { importers } from '../../providers/importers.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import { decodeSnapshot } from '../snapshot/snapshot.ts'
import { refreshCatalogue } from './pipeline.ts'
import type { RefreshWork } from './prepare.ts'
import type { ProgressLine } from './provider-prices.ts'

serveOnce((work: RefreshWork, emit) => {
  const { catalogues, providers, secrets, endpoints, regions, accept, maxTotalBytes, recordTo, backoff } =
    work
  const onProgress = (line: ProgressLine) => emit('progress', line)
  const chosen = importers.filter(({ provider }) => providers.includes(provider.key))
  return refreshCatalogue(chosen, newestCatalogue(catalogues.map(decodeSnapshot)), {
    secret: (name) => secrets[name],
    endpoints,
    accept,
    ...(regions === undefined ? {} : { regions }),
    now: Date.now,
    onProgress,
    fetching: {
      ...(backoff === undefined ? {} : { backoff }),
      ...(maxTotalBytes === undefined ? {} : { maxTotalBytes }),
      ...(recordTo === undefined ? {} : { record: recordInto(recordTo) }),
      onWait: ({ ms, why }) => {
        const text = `${why}; next attempt in ${Math.ceil(ms / 1000)} s`
        onProgress({ provider: '', text, isFailure: true })
      },
    },
  })
})
