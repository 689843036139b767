import { parentPort, type Transferable, Worker } from 'node:worker_threads'

/** Work that a thread of its own does once. */
export interface ThreadTask {
  readonly work: unknown
  /** A thread that needs more ends; a bound also lets its garbage be collected sooner. */
  readonly maxHeapMib?: number
  readonly signal?: AbortSignal
  /** Messages that the thread sends before it is done. */
  onMessage?(word: never): void
}

type Message =
  | { readonly kind: 'word'; readonly word: never }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string }

/** Starts a thread and ends it when it has answered; the other half is `respondOnce`. */
export function runInWorker<Result>(file: URL, task: ThreadTask): Promise<Result> {
  const result = Promise.withResolvers<Result>()
  const { signal, maxHeapMib } = task
  const worker = new Worker(file, {
    workerData: task.work,
    execArgv: [],
    env: {},
    ...(maxHeapMib === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } }),
  })
  worker.on('message', (message: Message) => {
    if (message.kind === 'word') task.onMessage?.(message.word)
    else if (message.kind === 'done') result.resolve(message.result as Result)
    else result.reject(new Error(message.message))
  })
  worker.on('error', (error) => result.reject(error))
  worker.on('exit', () => result.reject(new Error('the thread was stopped')))
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  return result.promise.finally(() => {
    signal?.removeEventListener('abort', stop)
    stop()
  })
}

/** In the thread: does the work and hands its result over, with those of its buffers that shall move. */
export async function respondOnce(
  work: (say: (word: unknown) => void) => Promise<{ result: unknown; buffers?: readonly Transferable[] }>,
): Promise<void> {
  const port = parentPort!
  try {
    const { result, buffers = [] } = await work((word) => port.postMessage({ kind: 'word', word }))
    port.postMessage({ kind: 'done', result }, [...buffers])
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ kind: 'failed', message } satisfies Message)
  }
}
