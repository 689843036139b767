import { UsageLoading } from '../../ingest/usage-loading.ts'
import { HeavyReads } from '../heavy-reads.ts'
import type { ServiceContext } from './service-part.ts'

export function heavyReads({ settings, store, now, metrics, reportError }: ServiceContext): HeavyReads {
  const reads = new HeavyReads({
    slots: settings.heavyReads,
    waitSeconds: settings.heavyReadWaitSeconds,
    loading: new UsageLoading(store, now(), now),
    onFailure: (error, requestId) =>
      reportError('error', 'a response was aborted', error, { reqId: requestId }),
  })
  metrics.gauge(
    'cheapside_heavy_reads_in_progress',
    'Requests that take much CPU time and memory, such as for recommendations and costs, in progress.',
    () => reads.queue.inFlight,
  )
  metrics.gauge('cheapside_heavy_reads_waiting', 'The same requests in the queue.', () => reads.queue.waiting)
  return reads
}
