import { Worker } from 'node:worker_threads'
import type { HourRange } from '../usage/reading/pod-usage.ts'

export interface LearningWork {
  readonly organisation: string
  readonly dataFolder: string
  readonly databaseUrl: string
  readonly hours: HourRange
  readonly mostSeries: number
  /** Training time in milliseconds since 1970, stored in the model. */
  readonly learntAt: number
}

/** Learns off the thread that answers requests, since it takes seconds, and keeps it in the store; an abort ends it at once. */
export function learnInThread(work: LearningWork, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const worker = new Worker(new URL('./learning-worker.ts', import.meta.url), {
    workerData: work,
    execArgv: [],
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  worker.once('message', () => resolve())
  worker.once('error', reject)
  worker.once('exit', () => {
    signal.removeEventListener('abort', stop)
    reject(new Error('learning was stopped'))
  })
  return promise
}
