import { parentPort, Worker } from 'node:worker_threads'
import {
  type CallOptions,
  type ChannelOptions,
  deserializeError,
  type ErrorTable,
  type Events,
  type Methods,
  RequestChannel,
  type SerializedError,
  serializeError,
  type Transferred,
} from './request-channel.ts'

export interface WorkerOptions {
  /** A URL of a literal path and import.meta.url: the build finds the scripts of threads in the text of the sources. */
  readonly script: URL
  readonly data?: unknown
  /** Methods that the worker may call in this thread, and events that it may emit. */
  readonly methods?: Methods
  readonly events?: Events
  readonly errors?: ErrorTable
  /** Creates the error of calls to a worker that has ended. */
  lost(reason: string): Error
  /** Once, with the error if the thread failed. The caller decides whether to start another one. */
  onEnd?(error: unknown): void
  /** Whether a worker without pending calls keeps the process alive; true by default. */
  readonly keepsProcess?: boolean
  /** Whether the worker sees the environment variables of the process; true by default. */
  readonly seesEnvironment?: boolean
  /** A thread that needs more memory ends with an error. A limit also makes V8 collect garbage sooner. */
  readonly maxHeapMib?: number
}

/** Starts a worker thread and calls it; the worker uses `serveWorker`. */
export class WorkerClient {
  /** Resolves when the worker is ready; rejects with the reason why it could not start. */
  readonly ready: Promise<void>
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #channel: RequestChannel
  readonly #options: WorkerOptions
  #reason = 'it ended'
  #isReady = false
  #hasEnded = false

  constructor(options: WorkerOptions) {
    const ready = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    this.ready = ready.promise
    this.ended = ended.promise
    // Not every caller awaits `ready`. Those that do not get the failure from their calls.
    this.ready.catch(() => undefined)
    this.#options = options
    this.#worker = startWorker(options)
    this.#channel = new RequestChannel(this.#worker, {
      ...options,
      events: {
        ...options.events,
        [readyEvent]: () => {
          this.#isReady = true
          this.#unrefIfIdle()
          ready.resolve()
        },
        [failedEvent]: (error: SerializedError) =>
          ready.reject(deserializeError(error, options.errors ?? {})),
      },
    })
    let broken: unknown
    this.#worker.on('error', (error) => {
      broken = error
      this.#reason = error instanceof Error ? error.message : String(error)
    })
    this.#worker.on('exit', () => {
      this.#hasEnded = true
      ready.reject(this.#lost())
      this.#channel.rejectAll(this.#lost())
      ended.resolve()
      options.onEnd?.(broken)
    })
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Calls wait for the worker to start. */
  async call(method: string, args: readonly unknown[], options?: CallOptions): Promise<unknown> {
    if (this.#hasEnded) throw this.#lost()
    this.#worker.ref()
    try {
      return await this.#channel.call(method, args, options)
    } finally {
      this.#unrefIfIdle()
    }
  }

  /** Ends the thread after pending calls have finished. */
  async close(): Promise<void> {
    await this.#channel.settled()
    this.#worker.ref()
    this.#channel.emit(closeEvent)
    await this.ended
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #unrefIfIdle(): void {
    if (this.#options.keepsProcess === false && this.#channel.pending === 0) this.#worker.unref()
  }

  #lost(): Error {
    return this.#options.lost(this.#reason)
  }
}

const readyEvent = 'worker ready'
const failedEvent = 'worker failed'
const closeEvent = 'worker close'

function startWorker({ script, data, seesEnvironment = true, maxHeapMib }: WorkerOptions): Worker {
  return new Worker(script, {
    workerData: data,
    // Threads do not accept all flags that a process may have.
    execArgv: [],
    ...(seesEnvironment ? {} : { env: {} }),
    ...(maxHeapMib === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } }),
  })
}

interface ServeOptions extends ChannelOptions {
  /** Called to clean up before the thread ends. */
  onClose?(): void | Promise<void>
}

interface WorkerServer extends Pick<RequestChannel, 'call' | 'emit'> {
  /** Reports that the worker is ready. Calls are answered even before. */
  ready(): void
  /** Reports why the worker cannot start, and ends it. */
  failed(error: unknown): void
}

/** Runs in a worker thread and answers the calls of the thread that started it, which uses `WorkerClient`. */
export function serveWorker({ onClose, ...options }: ServeOptions): WorkerServer {
  const port = parentPort!
  const close = async () => {
    await onClose?.()
    port.close()
  }
  const channel = new RequestChannel(port, {
    ...options,
    events: { ...options.events, [closeEvent]: () => void close() },
  })
  return {
    call: (method, args, callOptions) => channel.call(method, args, callOptions),
    emit: (name, value) => channel.emit(name, value),
    ready: () => channel.emit(readyEvent),
    failed: (error) => {
      channel.emit(failedEvent, serializeError(error))
      port.close()
    },
  }
}

interface ThreadTask extends Pick<WorkerOptions, 'script' | 'events' | 'maxHeapMib' | 'seesEnvironment'> {
  readonly work: unknown
  readonly signal?: AbortSignal
}

/** Starts a thread, which uses `serveOnce`, and ends it after its result. An abort ends it at once. */
export async function runOnce<Result>({ work, signal, ...options }: ThreadTask): Promise<Result> {
  const client = new WorkerClient({
    ...options,
    lost: (reason) => new Error(reason === 'it ended' ? 'the thread was stopped' : reason),
  })
  const stop = () => void client.terminate()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return (await client.call('run', [work])) as Result
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** Runs in the thread: does the work and returns its result. */
export function serveOnce<Work>(
  run: (work: Work, emit: WorkerServer['emit']) => Promise<unknown | Transferred>,
): void {
  const server = serveWorker({ methods: { run: (work: Work) => run(work, server.emit) } })
}
