import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DeliveryResult } from '../../agent/send/remote-write.ts'
import { defaultOrganisation } from '../../domain/key.ts'
import { pushSource } from '../../ingest/ingest-deps.ts'
import { WorkerClient } from '../../runtime/worker-thread.ts'
import { type Store, StoreUnavailable } from '../../store/port.ts'
import type { SelfMonitorLog, SelfMonitorWork } from './self-monitoring-worker.ts'
import type { ServiceContext } from './service-part.ts'

/** The machine that the service runs on belongs to the organisation of the first key. */
const organisation = defaultOrganisation
/** The service starts to answer requests first. */
const startAfterMs = 500
const restartAfterMs = 60_000
const leaseMs = 60_000

export type SelfMonitor = { stop(): Promise<void> }

/**
 * Measures this machine like the agent, in its own thread, because reading all of /proc takes longer than a request may
 * wait. Samples are written directly to the journal. If several services share a machine and a database, only one of them
 * writes.
 */
export function startSelfMonitor({ settings, store, now, log, reportError }: ServiceContext): SelfMonitor {
  const vm = hostname()
  const holder = randomUUID()
  const lease = `watch ${vm}`
  const work: SelfMonitorWork = { vm, metadataUrl: settings.metadataUrl }
  let worker: WorkerClient | undefined
  let stopping = false
  let timer = setTimeout(start, startAfterMs)

  function start(): void {
    worker = new WorkerClient({
      script: new URL('./self-monitoring-worker.ts', import.meta.url),
      data: work,
      methods: { deliver: keep },
      events: {
        log: ({ level, message }: SelfMonitorLog) => log(level, `measuring this machine: ${message}`),
      },
      lost: (reason) => new Error(reason),
      onEnd: (error) => {
        worker = undefined
        if (stopping) return
        if (error !== undefined)
          reportError('warn', 'measuring this machine failed; it will be retried', error)
        timer = setTimeout(start, restartAfterMs)
      },
      keepsProcess: false,
    })
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

const append = (store: Pick<Store, 'usage'>, receivedAt: number, body: Uint8Array): Promise<unknown> =>
  store.usage.append([
    {
      partition: { organisation, source: pushSource },
      receivedAt,
      format: 'remote-write-1',
      cluster: '',
      body,
    },
  ])
