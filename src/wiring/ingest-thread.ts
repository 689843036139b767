import { Worker } from 'node:worker_threads'
import { Overloaded } from '../ingest/group-commit.ts'
import type { IngestStats, PushedRequest } from '../ingest/ingester.ts'
import type { ReceiveSummary } from '../ingest/request-validator.ts'
import { ByteBudget } from '../runtime/byte-budget.ts'
import { StoreUnavailable } from '../store/port.ts'
import { errorFromThread, type FromIngest, type IngestWork, type ToIngest } from './ingest-messages.ts'
import type { ServiceContext } from './service-part.ts'

export interface IngestThread {
  /** Resolves when it is durable; see Ingester. */
  receive(request: PushedRequest): Promise<ReceiveSummary>
  /** Calls in progress finish first. Received samples are digested as far as possible; the rest stays in the journal. */
  stop(): Promise<void>
}

/** A thread that died is started again after this long. */
const restartAfterMs = 1000
const longestStopMs = 20_000
/** Bytes of requests that may be in the thread at a time. */
const mostCallBytes = 96 << 20
const callBytes = 64 << 10

/** Starts the usage thread. Requests wait for it to start, but not for a database that cannot be reached. */
export function startIngestThread(
  work: IngestWork,
  log: ServiceContext['log'],
  onFigures: (figures: IngestStats, isNew: boolean) => void,
  mostBytes = mostCallBytes,
): IngestThread {
  let stopping = false
  let current = start()
  let restart: NodeJS.Timeout | undefined

  function start() {
    const worker = new Worker(new URL('./ingest-worker.ts', import.meta.url), {
      workerData: work,
      execArgv: [],
    })
    const calls = new Calls(mostBytes)
    const ended = Promise.withResolvers<void>()
    const thread = { worker, calls, state: 'starting' as State, held: [] as ToIngest[], ended: ended.promise }
    let isNew = true
    worker.on('message', (message: FromIngest) => {
      if (message.kind === 'received') calls.take(message.id)?.resolve(message.received)
      else if (message.kind === 'refused')
        calls.take(message.id)?.reject(errorFromThread(message.name, message.message))
      else if (message.kind === 'log') log(message.level, message.message, message.more)
      else if (message.kind === 'figures') {
        onFigures(message.figures, isNew)
        isNew = false
      } else if (message.kind === 'open') {
        thread.state = 'open'
        for (const one of thread.held.splice(0)) post(worker, one)
      } else {
        thread.state = 'waiting'
        thread.held.length = 0
        calls.rejectAll(new StoreUnavailable('The usage thread waits for the database'))
      }
    })
    worker.on('error', (err) => log('error', 'the usage thread failed', { err }))
    worker.on('exit', () => {
      thread.state = 'dead'
      calls.rejectAll(new StoreUnavailable('The usage thread is gone'))
      ended.resolve()
      if (stopping) return
      restart = setTimeout(() => {
        current = start()
      }, restartAfterMs)
    })
    return thread
  }

  let lastId = 0
  return {
    receive(request) {
      const { worker, calls, state, held } = current
      if (state === 'dead' || state === 'waiting')
        return Promise.reject(new StoreUnavailable('The usage thread is not at work'))
      const id = ++lastId
      const result = calls.add(id, request)
      if (result === undefined) return Promise.reject(new Overloaded('too many requests wait to be read'))
      const message: ToIngest = { kind: 'receive', id, request }
      if (state === 'open') post(worker, message)
      else held.push(message)
      return result
    },
    async stop() {
      stopping = true
      clearTimeout(restart)
      const { worker, calls, state, ended } = current
      // What it has not committed by then is still in the journal.
      const late = setTimeout(() => void worker.terminate(), state === 'open' ? longestStopMs : 0)
      await calls.settled()
      worker.postMessage({ kind: 'stop' } satisfies ToIngest)
      await ended
      clearTimeout(late)
    },
  }
}

type State = 'starting' | 'waiting' | 'open' | 'dead'

/** Bodies are handed over, not copied. */
function post(worker: Worker, message: ToIngest): void {
  worker.postMessage(message, message.kind === 'receive' ? [message.request.body.buffer as ArrayBuffer] : [])
}

interface Call {
  readonly result: PromiseWithResolvers<ReceiveSummary>
  readonly organisation: string
  readonly bytes: number
}

/** Requests that wait for the thread's answer. */
class Calls {
  readonly #calls = new Map<number, Call>()
  readonly #budget: ByteBudget

  constructor(mostBytes: number) {
    this.#budget = new ByteBudget(mostBytes)
  }

  /** Undefined if the budget is used up. */
  add(id: number, { organisation, body }: PushedRequest): Promise<ReceiveSummary> | undefined {
    // Each also costs what has no bytes.
    const bytes = body.length + callBytes
    if (!this.#budget.reserve(organisation, bytes)) return undefined
    const result = Promise.withResolvers<ReceiveSummary>()
    this.#calls.set(id, { result, organisation, bytes })
    return result.promise
  }

  take(id: number): PromiseWithResolvers<ReceiveSummary> | undefined {
    const call = this.#calls.get(id)
    if (call === undefined) return undefined
    this.#calls.delete(id)
    this.#budget.release(call.organisation, call.bytes)
    return call.result
  }

  rejectAll(error: Error): void {
    for (const id of this.#calls.keys()) this.take(id)?.reject(error)
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#calls.values()].map(({ result }) => result.promise))
  }
}
