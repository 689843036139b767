import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../port.ts'
import type { DatabaseFile } from './database.ts'
import { deserializeError, type FromThread, type ToThread } from './messages.ts'

/** Items copied to the thread at a time. */
const sliceLength = 500

/** One thread with the database, from its start to its end. */
export interface Thread {
  readonly worker: Worker
  call(
    section: string,
    method: string,
    args: readonly unknown[],
    items?: readonly unknown[],
  ): Promise<unknown>
  isDead(): boolean
  /** Calls under way finish first. */
  close(): Promise<void>
}

/** Resolves when the database is open; rejects with the reason why it is not. */
export async function startThread(at: DatabaseFile, onHint: () => void): Promise<Thread> {
  const script = new URL('./worker.ts', import.meta.url)
  // The process's own flags may be none that a thread takes.
  const worker = new Worker(script, { workerData: at, execArgv: [] })
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let reason = 'it ended'
  let dead = false
  let lastId = 0

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'open') opened.resolve()
    else if (message.kind === 'failed') opened.reject(deserializeError(message.error))
    else if (message.kind === 'hint') onHint()
    else if (message.kind === 'value') calls.get(message.id)?.resolve(message.value)
    else calls.get(message.id)?.reject(deserializeError(message.error))
  })
  worker.on('error', (error) => {
    reason = error instanceof Error ? error.message : String(error)
  })
  worker.on('exit', () => {
    dead = true
    const lost = () => new StoreUnavailable(`The thread of the embedded database is gone: ${reason}`)
    opened.reject(lost())
    for (const call of calls.values()) call.reject(lost())
    ended.resolve()
  })

  async function call(section: string, method: string, args: readonly unknown[], items?: readonly unknown[]) {
    const id = ++lastId
    const result = Promise.withResolvers<unknown>()
    const post = (message: ToThread) => worker.postMessage(message)
    if (dead) throw new StoreUnavailable(`The thread of the embedded database is gone: ${reason}`)
    calls.set(id, result)
    // Only a call under way keeps the process alive, not an idle database.
    worker.ref()
    try {
      // Awaited only below, and a thread may die while the slices go over.
      result.promise.catch(() => undefined)
      for (let from = 0; items !== undefined && from < items.length; from += sliceLength) {
        if (from > 0) await turnOfEventLoop()
        post({ kind: 'slice', id, items: items.slice(from, from + sliceLength) })
      }
      post({ kind: 'call', id, section, method, args, sliced: items !== undefined })
      return await result.promise
    } finally {
      calls.delete(id)
      if (calls.size === 0) worker.unref()
    }
  }

  await opened.promise
  worker.unref()
  return {
    worker,
    call,
    isDead: () => dead,
    async close() {
      await Promise.allSettled([...calls.values()].map((pending) => pending.promise))
      worker.ref()
      worker.postMessage({ kind: 'close' } satisfies ToThread)
      await ended.promise
    },
  }
}
