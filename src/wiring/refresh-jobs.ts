import type { BuildManifest } from '../domain/manifest.ts'
import { readAnyFile } from '../program-files.ts'
import { prepareRefresh, providerOutcomes } from '../refresh/prepare.ts'
import { refreshJob } from '../refresh/schedule.ts'
import type { Job, ServiceContext } from './service-part.ts'

const hourMs = 3_600_000

/** Fresh prices, where the operator asked for them. */
export function refreshJobs(
  { settings, environment, store, now, log }: ServiceContext,
  catalogueFile: string,
  served: () => BuildManifest,
): { jobs: readonly Job[]; stop(): Promise<void> } {
  if (settings.refreshHours === 0) return { jobs: [], stop: async () => {} }
  const stopping = new AbortController()
  const prepared = prepareRefresh({
    environment,
    signal: stopping.signal,
    onProgress: (line) => log('info', 'refreshing prices', { ...line }),
  })
  const job = refreshJob({
    store,
    now,
    served,
    shipped: () => readAnyFile(catalogueFile),
    refresh: prepared.run,
    holder: `service ${crypto.randomUUID()}`,
    betweenMs: settings.refreshHours * hourMs,
    onDone: (outcome) => {
      if (outcome.kind === 'elsewhere') return
      for (const of of providerOutcomes(outcome.refreshed.manifest, prepared.providers)) {
        log(of.reason === '' ? 'info' : 'warn', 'prices were refreshed', { ...of })
      }
    },
  })
  return {
    jobs: [{ ...job, atStart: true }],
    // The lease would stay until it expires if the store were closed first.
    stop: async () => {
      stopping.abort()
      await job.settled()
    },
  }
}
