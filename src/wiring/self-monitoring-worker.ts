import '../node-24.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { agentDefaults, runAgent } from '../agent/run.ts'
import type { DeliveryResult } from '../agent/send/remote-write.ts'

export interface SelfMonitorWork {
  readonly vm: string
  /** '' for the clouds' own addresses; none disables the query. */
  readonly metadataUrl: string
}

export type FromSelfMonitor =
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string }
  | { readonly kind: 'look'; readonly id: number; readonly body: Uint8Array }

export interface ToSelfMonitor {
  readonly id: number
  readonly verdict: DeliveryResult
}

const port = parentPort!
const { vm, metadataUrl } = workerData as SelfMonitorWork
const send = (message: FromSelfMonitor) => port.postMessage(message)
const waiting = new Map<number, (verdict: DeliveryResult) => void>()
let looks = 0

port.on('message', ({ id, verdict }: ToSelfMonitor) => {
  waiting.get(id)?.(verdict)
  waiting.delete(id)
})

// The thread is ended from outside.
await runAgent(
  {
    vm,
    job: 'cheapside',
    lookSeconds: agentDefaults.lookSeconds,
    pssSeconds: agentDefaults.pssSeconds,
    proc: agentDefaults.proc,
    cgroupRoot: agentDefaults.cgroupRoot,
    facts: {
      given: {},
      offline: metadataUrl === 'none',
      endpoint: metadataUrl === '' || metadataUrl === 'none' ? undefined : metadataUrl,
    },
  },
  new AbortController().signal,
  {
    log: (level, message) => send({ kind: 'log', level, message }),
    deliver: (body) => {
      const id = ++looks
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ kind: 'look', id, body })
      })
    },
  },
)
