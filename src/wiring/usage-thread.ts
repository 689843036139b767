import { Worker } from 'node:worker_threads'
import type { PushedRequest, UsageFigures } from '../operations/usage/desk.ts'
import { Overloaded } from '../operations/usage/group-commit.ts'
import type { Received } from '../operations/usage/reception.ts'
import { StoreUnavailable } from '../store/port.ts'
import type { Surroundings } from './part.ts'
import { type FromUsage, refusal, type ToUsage, type UsageWork } from './usage-messages.ts'

export interface UsageThread {
  /** Resolves when it is durable; see UsageDesk. */
  receive(request: PushedRequest): Promise<Received>
  /** Calls under way finish first; what was taken in is digested as far as it got, the rest waits in the journal. */
  stop(): Promise<void>
}

/** A thread that died is started again after this long. */
const restartAfterMs = 1000
const longestStopMs = 20_000
/** Requests that may be with the thread at a time. */
const mostCalls = 2000

/** Starts the usage thread; requests wait until it has its database. */
export function startUsageThread(
  work: UsageWork,
  log: Surroundings['log'],
  onFigures: (figures: UsageFigures, isNew: boolean) => void,
): UsageThread {
  let stopping = false
  let current = start()
  let restart: NodeJS.Timeout | undefined

  function start() {
    const worker = new Worker(new URL('./usage-worker.ts', import.meta.url), {
      workerData: work,
      execArgv: [],
    })
    const calls = new Map<number, PromiseWithResolvers<Received>>()
    const ended = Promise.withResolvers<void>()
    const state = { isOpen: false, isDead: false }
    let isNew = true
    worker.on('message', (message: FromUsage) => {
      if (message.kind === 'received') settle(message.id)?.resolve(message.received)
      else if (message.kind === 'refused') settle(message.id)?.reject(refusal(message.name, message.message))
      else if (message.kind === 'open') state.isOpen = true
      else if (message.kind === 'log') log(message.level, message.message, message.more)
      else if (message.kind === 'figures') {
        onFigures(message.figures, isNew)
        isNew = false
      }
    })
    worker.on('error', (err) => log('error', 'the usage thread broke', { err }))
    worker.on('exit', () => {
      for (const call of calls.values()) call.reject(new StoreUnavailable('The usage thread is gone'))
      calls.clear()
      state.isDead = true
      ended.resolve()
      if (stopping) return
      restart = setTimeout(() => {
        current = start()
      }, restartAfterMs)
    })
    function settle(id: number) {
      const call = calls.get(id)
      calls.delete(id)
      return call
    }
    return { worker, calls, state, ended: ended.promise }
  }

  let lastId = 0
  return {
    receive(request) {
      const { worker, calls, state } = current
      if (state.isDead) return Promise.reject(new StoreUnavailable('The usage thread is being started again'))
      if (calls.size >= mostCalls) return Promise.reject(new Overloaded('too many requests wait to be read'))
      const id = ++lastId
      const result = Promise.withResolvers<Received>()
      calls.set(id, result)
      const message: ToUsage = { kind: 'receive', id, request }
      worker.postMessage(message, [request.body.buffer as ArrayBuffer])
      return result.promise
    },
    async stop() {
      stopping = true
      clearTimeout(restart)
      const { worker, calls, state, ended } = current
      // What it has not committed by then is still in the journal.
      const late = setTimeout(() => void worker.terminate(), state.isOpen ? longestStopMs : 0)
      await Promise.allSettled([...calls.values()].map(({ promise }) => promise))
      worker.postMessage({ kind: 'stop' } satisfies ToUsage)
      await ended
      clearTimeout(late)
    },
  }
}
