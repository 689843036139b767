import { Problem } from '../../domain/problem.ts'
import { exportMetrics, type MetricsDeps } from '../../recommendations/metrics/export-metrics.ts'
import { MetricsCache } from '../../recommendations/metrics/metrics-cache.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { exportMetricsRoutes } from '../routes/usage/export-metrics.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

export function metricsPart({ now, reportError }: ServiceContext, deps: MetricsDeps, reads: HeavyReads) {
  const stopping = new AbortController()
  const { signal } = stopping
  const cache = new MetricsCache(
    (organisation, query, unawaited) => {
      const ended = AbortSignal.any([signal, unawaited])
      return reads.run(organisation, ended, () => exportMetrics(deps, organisation, query, ended))
    },
    now,
    (error) => {
      // A problem, such as a busy service, is the answer of the request.
      if (!signal.aborted && !(error instanceof Problem))
        reportError('warn', 'calculating metrics failed; the next scrape tries again', error)
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
