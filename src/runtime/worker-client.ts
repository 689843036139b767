import { Worker } from 'node:worker_threads'
import { type CallOptions, type Events, type Methods, RequestChannel } from './request-channel.ts'
import { deserializeError, type ErrorTable, type SerializedError } from './worker-errors.ts'

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

export const readyEvent = 'worker ready'
export const failedEvent = 'worker failed'
export const closeEvent = 'worker close'

function startWorker({ script, data, seesEnvironment = true, maxHeapMib }: WorkerOptions): Worker {
  return new Worker(script, {
    workerData: data,
    // The process's own flags may be none that a thread takes.
    execArgv: [],
    ...(seesEnvironment ? {} : { env: {} }),
    ...(maxHeapMib === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } }),
  })
}
