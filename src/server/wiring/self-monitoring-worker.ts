import '../../runtime/node-24.ts'
import { workerData } from 'node:worker_threads'
import { agentDefaults, runAgent } from '../../agent/run.ts'
import type { DeliveryResult } from '../../agent/send/remote-write.ts'
import { serveWorker } from '../../runtime/worker-thread.ts'

export interface SelfMonitorWork {
  readonly vm: string
  /** '' selects the addresses of the clouds; 'none' disables the query. */
  readonly metadataUrl: string
}

export interface SelfMonitorLog {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

const { vm, metadataUrl } = workerData as SelfMonitorWork
const server = serveWorker({})
server.ready()

// The agent runs until the service terminates this thread.
await runAgent(
  {
    vm,
    job: 'cheapside',
    intervalSeconds: agentDefaults.intervalSeconds,
    pssSeconds: agentDefaults.pssSeconds,
    proc: agentDefaults.proc,
    cgroupRoot: agentDefaults.cgroupRoot,
    remedy:
      'CHEAPSIDE_METADATA_URL is set to its metadata service, or `cheapside agent --provider` measures it',
    facts: {
      given: {},
      offline: metadataUrl === 'none',
      endpoint: metadataUrl === '' || metadataUrl === 'none' ? undefined : metadataUrl,
    },
  },
  new AbortController().signal,
  {
    log: (level, message) => server.emit('log', { level, message } satisfies SelfMonitorLog),
    deliver: (body) => server.call('deliver', [body]) as Promise<DeliveryResult>,
  },
)
