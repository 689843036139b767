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
  /** Written at the call as a URL of a literal path and import.meta.url: the build finds the scripts of threads by that. */
  readonly script: URL
  readonly data?: unknown
  /** What the worker may call here, and the events that it may emit. */
  readonly methods?: Methods
  readonly events?: Events
  readonly errors?: ErrorTable
  /** The error of calls to a worker that has ended. */
  lost(reason: string): Error
  /** Runs once, when the thread has ended; with the reason if it broke. Starting another is for the caller to decide. */
  onEnd?(error: unknown): void
  /** Whether the process stays alive for a worker that no call waits for; true unless given. */
  readonly keepsProcess?: boolean
  /** Whether the worker sees the environment variables of the process; true unless given. */
  readonly seesEnvironment?: boolean
  /** A thread that needs more ends; a bound also lets its garbage be collected sooner. */
  readonly maxHeapMib?: number
}

/** A worker thread from its start to its end; the other half is `serveWorker`. */
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
    // Not every caller waits for the start; a call reports the failure to the others.
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

  /** Calls under way finish first. */
  async close(): Promise<void> {
    await this.#channel.settled()
    this.#worker.ref()
    this.#channel.emit(closeEvent)
    await this.ended
  }

  /** Ends the thread at once; calls under way are rejected. */
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
    // The process's own flags may be none that a thread takes.
    execArgv: [],
    ...(seesEnvironment ? {} : { env: {} }),
    ...(maxHeapMib === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } }),
  })
}

interface ServeOptions extends ChannelOptions {
  /** Ends what the worker has begun; the thread ends after it. */
  onClose?(): void | Promise<void>
}

interface WorkerServer extends Pick<RequestChannel, 'call' | 'emit'> {
  /** Calls are answered from the start; this only reports that the worker is set up. */
  ready(): void
  /** Reports why the worker cannot be set up, and ends it. */
  failed(error: unknown): void
}

/** In a worker thread: answers the calls of the thread that started it; the other half is `WorkerClient`. */
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

/** Work that a thread of its own does once. */
interface ThreadTask extends Pick<WorkerOptions, 'script' | 'events' | 'maxHeapMib' | 'seesEnvironment'> {
  readonly work: unknown
  readonly signal?: AbortSignal
}

/** Starts a thread and ends it when it has answered; the other half is `serveOnce`. An abort ends it at once. */
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

/** In the thread: does the work and hands its result over. */
export function serveOnce<Work>(
  run: (work: Work, emit: WorkerServer['emit']) => Promise<unknown | Transferred>,
): void {
  const server = serveWorker({ methods: { run: (work: Work) => run(work, server.emit) } })
}
