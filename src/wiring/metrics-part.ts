import type { HeavyReads } from '../http/heavy-reads.ts'
import { exportMetricsRoutes } from '../http/routes/usage/export-metrics.ts'
import { exportMetrics, type MetricsDeps } from '../operations/export-metrics/export-metrics.ts'
import { MetricsCache } from '../operations/export-metrics/metrics-cache.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

/** Recommendations as metrics for Prometheus. */
export function metricsPart({ now, log }: ServiceContext, deps: MetricsDeps, reads: HeavyReads) {
  const stopping = new AbortController()
  const { signal } = stopping
  const cache = new MetricsCache(
    (organisation, query) =>
      reads.run(organisation, signal, () => exportMetrics(deps, organisation, query, signal)),
    now,
    (err) => {
      if (!signal.aborted) log('warn', 'calculating metrics failed; the next scrape tries again', { err })
    },
  )
  return {
    routes: [exportMetricsRoutes(cache, reads)],
    stop: async () => {
      stopping.abort(new Error('the service stops'))
      await cache.idle()
    },
  } satisfies ServicePart
}
