import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Number of requests that a client may pipeline, that is send before the answer to an earlier one. */
export const maxWaiting = 32

/**
 * The requests of one connection. Each is handled after the previous answer was handed to the kernel, so that a client
 * that does not read keeps only one answer in memory. RFC 9112, section 9.3.2 also requires unsafe methods to run in
 * order, while node:http would run all pipelined requests at once.
 */
export class RequestQueue {
  readonly #socket: Socket
  readonly #handle: RequestHandler
  readonly #backlog: Backlog
  readonly #waiting: ServerResponse[] = []
  #active: ServerResponse | undefined
  #newest: ServerResponse | undefined
  #lastAnswer: string | undefined

  constructor(socket: Socket, handle: RequestHandler, backlog: Backlog) {
    this.#socket = socket
    this.#handle = handle
    this.#backlog = backlog
  }

  get isFull(): boolean {
    return this.#waiting.length >= maxWaiting
  }

  add(response: ServerResponse): void {
    this.#newest = response
    if (this.#active !== undefined) this.#waiting.push(response)
    else {
      this.#active = response
      this.#start(response)
    }
  }

  /** Sends a complete raw answer after those in progress, then closes the connection; '' closes it without an answer. */
  closeWith(answer: string): void {
    if (this.#lastAnswer !== undefined) return
    this.#lastAnswer = answer
    if (this.#active === undefined) this.#close()
    else if (!this.#active.req.complete) {
      // The rest of this request will never arrive. An answer that has begun cannot be replaced by another: it is still
      // sent if all of it was written; otherwise it is cut off.
      if (this.#active.headersSent && !this.#active.writableEnded) this.#socket.destroy()
      else this.#close()
    }
  }

  #start(response: ServerResponse): void {
    response.on('close', this.#next)
    this.#handle(response.req, response)
  }

  readonly #next = (): void => {
    const next = this.#socket.writable ? this.#waiting.shift() : undefined
    this.#active = next
    if (this.#newest?.req.complete) this.#newest = undefined
    if (!this.#socket.writable) this.#waiting.length = 0
    else if (this.#lastAnswer !== undefined && !next?.req.complete) this.#close()
    else if (next !== undefined) {
      this.#backlog.add(() => {
        if (this.#socket.writable) this.#start(next)
      })
    }
  }

  #close(): void {
    // A request may be answered before it has arrived completely. A second answer would be read as the answer to the next
    // request.
    const isAnswered = this.#newest?.req.complete === false && this.#newest.headersSent
    this.#active = undefined
    this.#waiting.length = 0
    this.#socket.end(isAnswered ? '' : (this.#lastAnswer ?? ''))
    // The client has this long to read the answer. Closing at once, while bytes of the client are unread here, would reset
    // the connection.
    this.#socket.setTimeout(lingerMs)
  }
}

const lingerMs = 5000

/** Starts pipelined requests, one per turn of the event loop over all connections, so that they do not delay others. */
export class Backlog {
  readonly #tasks: (() => void)[] = []

  add(task: () => void): void {
    if (this.#tasks.push(task) === 1) setImmediate(this.#run)
  }

  readonly #run = (): void => {
    const task = this.#tasks.shift()
    if (this.#tasks.length > 0) setImmediate(this.#run)
    task?.()
  }
}
