import type { CallOptions } from '../../runtime/request-channel.ts'
import { WorkerClient } from '../../runtime/worker-thread.ts'
import { storeErrors } from '../errors.ts'
import { StoreUnavailable } from '../port.ts'
import type { DatabaseFile } from './database.ts'

export interface Client {
  call(method: string, args: readonly unknown[], options?: CallOptions): Promise<unknown>
  onHint(listener: () => void): () => void
  close(): Promise<void>
  /** Ends the thread as a crash would. */
  terminate(): Promise<void>
}

export const remoteMethods = <Section>(
  client: Client,
  section: string,
  ...methods: readonly (keyof Section & string)[]
): Section =>
  Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => client.call(`${section}.${method}`, args)]),
  ) as Section

/** A thread that died is restarted by a later call, but at most every restartAfterMs. */
export async function openClient(at: DatabaseFile, restartAfterMs = 1_000): Promise<Client> {
  const listeners = new Set<() => void>()
  const hint = () => {
    for (const listener of listeners) listener()
  }
  let worker = await startWorker(at, hint)
  let starting: Promise<WorkerClient> | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | undefined

  function living(): WorkerClient | Promise<WorkerClient> {
    if (!worker.hasEnded) return worker
    if (starting !== undefined) return starting
    if (performance.now() - startedAt < restartAfterMs) {
      throw new StoreUnavailable('The thread of the embedded database ended and will be restarted')
    }
    startedAt = performance.now()
    starting = restart().finally(() => {
      starting = undefined
    })
    return starting
  }

  async function restart(): Promise<WorkerClient> {
    try {
      worker = await startWorker(at, hint)
    } catch (cause) {
      throw new StoreUnavailable(`The embedded database could not be restarted: ${(cause as Error).message}`)
    }
    hint()
    return worker
  }

  return {
    async call(method, args, options) {
      if (closing !== undefined) throw new StoreUnavailable('The embedded database is closed')
      return (await living()).call(method, args, options)
    },
    onHint(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    close() {
      closing ??= (async () => {
        await starting?.catch(() => undefined)
        await worker.close()
      })()
      return closing
    },
    terminate: () => worker.terminate(),
  }
}

/** Resolves when the database is open; rejects with the reason if it cannot be opened. */
async function startWorker(data: DatabaseFile, hint: () => void): Promise<WorkerClient> {
  const worker = new WorkerClient({
    script: new URL('./worker.ts', import.meta.url),
    data,
    events: { hint },
    errors: storeErrors,
    lost: (reason) => new StoreUnavailable(`The thread of the embedded database has stopped: ${reason}`),
    // Only a call in progress keeps the process alive, not an idle database.
    keepsProcess: false,
  })
  await worker.ready
  return worker
}
