import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { DeliveryResult } from '../agent/send/remote-write.ts'
import { defaultOrganisation } from '../domain/key.ts'
import { pushSource } from '../ingest/digest-scheduler.ts'
import { type Store, StoreUnavailable } from '../store/port.ts'
import type { FromSelfMonitor, SelfMonitorWork, ToSelfMonitor } from './self-monitoring-worker.ts'
import type { ServiceContext } from './service-part.ts'

/** Whom the machine that the service runs on belongs to: the organisation of the first key. */
const organisation = defaultOrganisation
/** The service answers first. */
const startAfterMs = 500
const restartAfterMs = 60_000
const leaseMs = 60_000

export interface SelfMonitor {
  stop(): Promise<void>
}

/**
 * Watches this machine as the agent would, in a thread of its own: reading all of /proc takes longer than a request may wait.
 * What it sees goes straight into the journal. Of several services on one machine and database one does.
 */
export function startSelfMonitor({ settings, store, now, log }: ServiceContext): SelfMonitor {
  const vm = hostname()
  const holder = randomUUID()
  const lease = `watch ${vm}`
  const work: SelfMonitorWork = { vm, metadataUrl: settings.metadataUrl }
  let worker: Worker | undefined
  let stopping = false
  let timer = setTimeout(start, startAfterMs)

  function start(): void {
    const started = new Worker(new URL('./self-monitoring-worker.ts', import.meta.url), {
      workerData: work,
      execArgv: [],
    })
    worker = started
    started.on('message', (message: FromSelfMonitor) => {
      if (message.kind === 'log') log(message.level, `measuring this machine: ${message.message}`)
      else
        void keep(message.body).then((verdict) =>
          started.postMessage({ id: message.id, verdict } satisfies ToSelfMonitor),
        )
    })
    started.on('error', (err) => log('warn', 'measuring this machine failed; it will be retried', { err }))
    started.on('exit', () => {
      worker = undefined
      if (!stopping) timer = setTimeout(start, restartAfterMs)
    })
    started.unref()
  }

  async function keep(body: Uint8Array): Promise<DeliveryResult> {
    try {
      if (await store.leases.acquire(lease, holder, leaseMs)) await append(store, now(), body)
      return { kind: 'taken' }
    } catch (error) {
      return error instanceof StoreUnavailable
        ? { kind: 'later', reason: error.message }
        : { kind: 'refused', reason: (error as Error).message }
    }
  }

  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await worker?.terminate()
      await store.leases.release(lease, holder).catch(() => {})
    },
  }
}

const append = (store: Pick<Store, 'usage'>, receivedAt: number, body: Uint8Array): Promise<void> =>
  store.usage.append([
    {
      partition: { organisation, source: pushSource },
      receivedAt,
      format: 'remote-write-1',
      cluster: '',
      body,
    },
  ])
