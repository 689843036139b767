import { runOnce } from '../../runtime/worker-thread.ts'
import type { KeyDeps } from '../access/issue-key.ts'
import { DemoData } from '../demo/demo-data.ts'
import type { DemoLoad } from '../demo/load-demo.ts'
import { demoRoutes } from '../routes/service/demo.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const keepUpToDateMs = 300_000

export function demoPart({ store, now, settings, log, reportError }: ServiceContext, keys: KeyDeps) {
  const stopping = new AbortController()
  const demo = new DemoData({
    store,
    keys,
    holder: crypto.randomUUID(),
    onFailure: (error) => reportError('warn', 'loading demo data failed', error),
    load: async () => {
      const { data: dataDirectory, databaseUrl } = settings
      const { until, samples } = await loadDemoInThread(
        { dataDirectory, databaseUrl, now: now() },
        stopping.signal,
      )
      log('info', 'demo data was loaded', { samples })
      return until
    },
  })
  const part: ServicePart = {
    routes: [demoRoutes(demo)],
    jobs: [{ name: 'keeping demo data up to date', everyMs: keepUpToDateMs, run: () => demo.keepUpToDate() }],
    stop: async () => stopping.abort(),
  }
  return { ...part, isLoadingOf: (organisation: string) => demo.isLoadingOf(organisation) }
}

export interface DemoWork {
  readonly dataDirectory: string
  readonly databaseUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
}

function loadDemoInThread(work: DemoWork, signal: AbortSignal): Promise<DemoLoad> {
  return runOnce({ script: new URL('./demo-worker.ts', import.meta.url), work, signal })
}
