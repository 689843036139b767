import type { Events, Transferred } from './request-channel.ts'
import { serveWorker, WorkerClient, type WorkerServer } from './worker-thread.ts'

/** Work that a thread of its own does once. */
interface ThreadTask {
  readonly script: URL
  readonly work: unknown
  readonly events?: Events
  readonly maxHeapMib?: number
  readonly seesEnvironment?: boolean
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
