import { Gauge } from 'prom-client'
import type { BuildManifest } from '../domain/manifest.ts'
import { type Clock, hourMs } from '../domain/time.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import { readAnyFile } from '../program-files.ts'
import { prepareRefresh, providerOutcomes } from '../refresh/prepare.ts'
import { freshnessOf, refreshJob } from '../refresh/schedule.ts'
import type { Job, ServiceContext } from './service-part.ts'

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
    jobs: [{ ...job, firstAfterMs: 0 }],
    // The lease would stay until it expires if the store were closed first.
    stop: async () => {
      stopping.abort()
      await job.settled()
    },
  }
}

/** How old each provider's prices are, and how its last refresh went. */
export function watchFreshness(metrics: HttpMetrics, manifest: () => BuildManifest, now: Clock): void {
  new Gauge({
    name: 'cheapside_prices_newest_day_timestamp_seconds',
    help: "The newest day of a provider's prices.",
    labelNames: ['provider'],
    registers: [metrics.registry],
    collect() {
      for (const { provider, newestDay } of freshnessOf(manifest(), now())) {
        if (newestDay !== '') this.set({ provider }, Date.parse(newestDay) / 1000)
      }
    },
  })
  new Gauge({
    name: 'cheapside_prices_refresh_outcome',
    help: "1 for the outcome of a provider's last refresh.",
    labelNames: ['provider', 'outcome'],
    registers: [metrics.registry],
    collect() {
      this.reset()
      for (const { provider, outcome } of freshnessOf(manifest(), now())) this.set({ provider, outcome }, 1)
    },
  })
}
