import { parentPort } from 'node:worker_threads'
import { type ChannelOptions, RequestChannel } from './request-channel.ts'
import { closeEvent, failedEvent, readyEvent } from './worker-client.ts'
import { serializeError } from './worker-errors.ts'

interface ServeOptions extends ChannelOptions {
  /** Ends what the worker has begun; the thread ends after it. */
  onClose?(): void | Promise<void>
}

export interface WorkerServer extends Pick<RequestChannel, 'call' | 'emit'> {
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
