import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort, Transferable, Worker } from 'node:worker_threads'

/** The request protocol between two threads; either side may call the other. */
type Message =
  /** Items of the last argument of a later call: copying a long list at once would block both threads. */
  | { readonly kind: 'slice'; readonly id: number; readonly items: readonly unknown[] }
  | {
      readonly kind: 'call'
      readonly id: number
      readonly method: string
      readonly args: readonly unknown[]
      /** If set, the concatenated slices that were sent before are one more argument. */
      readonly isSliced: boolean
    }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SerializedError }
  | { readonly kind: 'event'; readonly name: string; readonly value: unknown }

/** Methods that one thread offers to the other. A method may return its result or a promise of it. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>
export type Events = Readonly<Record<string, (value: never) => void>>

/** A result with buffers that are transferred to the other thread instead of copied. */
export class Transferred {
  readonly value: unknown
  readonly buffers: readonly Transferable[]

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value
    this.buffers = buffers
  }
}

export interface ChannelOptions {
  readonly methods?: Methods
  readonly events?: Events
  readonly errors?: ErrorTable
  /** Called after each call of the other side was answered. */
  afterCall?(): void
}

export interface CallOptions {
  /** A list that is sent in slices and arrives as the last argument. */
  readonly items?: readonly unknown[]
  /** Buffers in the arguments that are transferred instead of copied. */
  readonly transfer?: readonly Transferable[]
}

/** The worker, in the thread that started it, or the port to that thread, in the worker. */
type Port = Worker | MessagePort

const sliceLength = 500

/** One end of the connection between two threads. */
export class RequestChannel {
  readonly #port: Port
  readonly #options: ChannelOptions
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #slices = new Map<number, unknown[]>()
  #lastId = 0

  constructor(port: Port, options: ChannelOptions) {
    this.#port = port
    this.#options = options
    port.on('message', (message: Message) => this.#receive(message))
  }

  get pending(): number {
    return this.#calls.size
  }

  async call(method: string, args: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    const id = ++this.#lastId
    const { items, transfer } = options
    const result = Promise.withResolvers<unknown>()
    this.#calls.set(id, result)
    try {
      if (items !== undefined) {
        // The promise is awaited only below, and may be rejected before if the other thread ends while slices are sent.
        result.promise.catch(() => undefined)
        await this.#sendSlices(id, items)
      }
      this.#send({ kind: 'call', id, method, args, isSliced: items !== undefined }, transfer)
      return await result.promise
    } finally {
      this.#calls.delete(id)
    }
  }

  emit(name: string, value?: unknown): void {
    this.#send({ kind: 'event', name, value })
  }

  /** Rejects all pending calls, after the other thread has ended. */
  rejectAll(error: Error): void {
    for (const call of this.#calls.values()) call.reject(error)
  }

  /** Resolves when every call made until now has its result or its error. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#calls.values()].map(({ promise }) => promise))
  }

  async #sendSlices(id: number, items: readonly unknown[]): Promise<void> {
    for (let from = 0; from < items.length; from += sliceLength) {
      if (from > 0) await nextTurn()
      this.#send({ kind: 'slice', id, items: items.slice(from, from + sliceLength) })
    }
  }

  #receive(message: Message): void {
    if (message.kind === 'result') this.#calls.get(message.id)?.resolve(message.value)
    else if (message.kind === 'error')
      this.#calls.get(message.id)?.reject(deserializeError(message.error, this.#options.errors ?? {}))
    else if (message.kind === 'event') this.#options.events?.[message.name]?.(message.value as never)
    else if (message.kind === 'slice')
      this.#slices.set(message.id, (this.#slices.get(message.id) ?? []).concat(message.items))
    else this.#answer(message)
  }

  /** A result that is not a promise is sent at once, so that the results of a database come in the order of its calls. */
  #answer({ id, method, args, isSliced }: Message & { kind: 'call' }): void {
    const all = isSliced ? [...args, this.#slices.get(id) ?? []] : args
    this.#slices.delete(id)
    try {
      const value = this.#options.methods![method]!(...(all as never[]))
      if (value instanceof Promise) {
        value
          .then((resolved) => this.#sendResult(id, resolved))
          .catch((error) => this.#sendError(id, error))
          .finally(() => this.#options.afterCall?.())
        return
      }
      this.#sendResult(id, value)
    } catch (error) {
      this.#sendError(id, error)
    }
    this.#options.afterCall?.()
  }

  #sendResult(id: number, value: unknown): void {
    if (value instanceof Transferred) this.#send({ kind: 'result', id, value: value.value }, value.buffers)
    else this.#send({ kind: 'result', id, value })
  }

  #sendError(id: number, error: unknown): void {
    this.#send({ kind: 'error', id, error: serializeError(error) })
  }

  #send(message: Message, transfer: readonly Transferable[] = []): void {
    this.#port.postMessage(message, transfer as Transferable[])
  }
}

/** Error classes by name. An error loses its class between threads, so its name is sent and the class is looked up. */
export type ErrorTable = Readonly<Record<string, new (message: string) => Error>>

export interface SerializedError {
  readonly name: string
  readonly message: string
}

export const serializeError = (error: unknown): SerializedError =>
  error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }

/** An error whose name is not in the table becomes a plain Error with the same message. */
export function deserializeError({ name, message }: SerializedError, errors: ErrorTable): Error {
  const ErrorClass = Object.hasOwn(errors, name) ? errors[name]! : Error
  return new ErrorClass(message)
}
