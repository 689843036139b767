import type { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../port.ts'
import type { DatabaseFile } from './database.ts'
import { startThread, type Thread } from './thread.ts'

/** The database's thread, seen from outside. */
export interface Client {
  /** `items`, where given, go over in slices and arrive as the last argument. */
  call(
    section: string,
    method: string,
    args: readonly unknown[],
    items?: readonly unknown[],
  ): Promise<unknown>
  onHint(listener: () => void): () => void
  close(): Promise<void>
  worker(): Worker
}

/** A thread that died is started again by a later call, but not more often than every restartAfterMs. */
export async function openClient(at: DatabaseFile, restartAfterMs = 1_000): Promise<Client> {
  const listeners = new Set<() => void>()
  const hint = () => {
    for (const listener of listeners) listener()
  }
  let thread = await startThread(at, hint)
  let starting: Promise<Thread> | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | undefined

  function living(): Thread | Promise<Thread> {
    if (!thread.isDead()) return thread
    if (starting !== undefined) return starting
    if (performance.now() - startedAt < restartAfterMs) {
      throw new StoreUnavailable('The thread of the embedded database ended and will be started again')
    }
    startedAt = performance.now()
    starting = restart().finally(() => {
      starting = undefined
    })
    return starting
  }

  async function restart(): Promise<Thread> {
    try {
      thread = await startThread(at, hint)
    } catch (cause) {
      throw new StoreUnavailable(`The embedded database did not start again: ${(cause as Error).message}`)
    }
    hint()
    return thread
  }

  return {
    async call(section, method, args, items) {
      if (closing !== undefined) throw new StoreUnavailable('The embedded database is closed')
      return (await living()).call(section, method, args, items)
    },
    onHint(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    close() {
      closing ??= (async () => {
        await starting?.catch(() => undefined)
        await thread.close()
      })()
      return closing
    },
    worker: () => thread.worker,
  }
}
