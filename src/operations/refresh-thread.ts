import { Worker } from 'node:worker_threads'
import type { RefreshedPrices } from './refresh-prices.ts'

/** What a refresh needs to know; secrets stay in memory and go nowhere but to the thread. */
export interface ThreadWork {
  /** The catalogue in force. */
  readonly bytes: Uint8Array
  /** Keys; all that have a list unless given. */
  readonly providers?: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, string>>
  readonly accept: boolean
}

export interface ProgressLine {
  readonly provider: string
  readonly text: string
}

export type FromRefresh =
  | { readonly kind: 'progress'; readonly line: ProgressLine }
  | { readonly kind: 'done'; readonly refreshed: RefreshedPrices }
  | { readonly kind: 'failed'; readonly message: string }

/** Five times what is in use at once. A bound also lets garbage be collected sooner: 521 MiB at the most instead of 678. */
const mostHeapMib = 768

/** Refreshes in a thread of its own: reading gigabytes and packing a catalogue must hold up no request. */
export function refreshInThread(
  work: ThreadWork,
  onProgress: (line: ProgressLine) => void,
  signal?: AbortSignal,
): Promise<RefreshedPrices> {
  const result = Promise.withResolvers<RefreshedPrices>()
  const worker = new Worker(new URL('./refresh-worker.ts', import.meta.url), {
    workerData: work,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMib },
    env: {},
  })
  worker.on('message', (message: FromRefresh) => {
    if (message.kind === 'progress') onProgress(message.line)
    else if (message.kind === 'done') result.resolve(message.refreshed)
    else result.reject(new Error(message.message))
  })
  worker.on('error', (error) => result.reject(error))
  worker.on('exit', () => result.reject(new Error('the refresh was stopped')))
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  return result.promise.finally(() => {
    signal?.removeEventListener('abort', stop)
    stop()
  })
}
