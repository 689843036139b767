import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Requests that a client may send ahead of the answer that it waits for. */
export const mostWaiting = 32

/**
 * The requests of one connection. They are handled one after another, each when the answer before it was handed to the
 * kernel: a client that does not read keeps one answer in memory, whatever it asks. RFC 9112, 9.3.2 also wants unsafe
 * methods in order, while node:http would run all that are pipelined at once.
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
    return this.#waiting.length >= mostWaiting
  }

  get isIdle(): boolean {
    return this.#active === undefined
  }

  add(response: ServerResponse): void {
    this.#newest = response
    if (this.#active !== undefined) this.#waiting.push(response)
    else {
      this.#active = response
      this.#start(response)
    }
  }

  /** Sends a whole answer of its own after those under way, then closes; '' closes without one. */
  closeWith(answer: string): void {
    if (this.#lastAnswer !== undefined) return
    this.#lastAnswer = answer
    if (this.#active === undefined) this.#close()
    else if (!this.#active.req.complete) {
      // The rest of this request will never come. What has begun to be answered cannot be answered otherwise.
      if (this.#active.headersSent) this.#socket.destroy()
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
    // A request may be answered before all of it came; a second answer would be taken for that of the next request.
    const isAnswered = this.#newest?.req.complete === false && this.#newest.headersSent
    this.#active = undefined
    this.#waiting.length = 0
    this.#socket.end(isAnswered ? '' : (this.#lastAnswer ?? ''))
    // The client has this long to read it: closing at once, with bytes of it unread here, would reset the connection.
    this.#socket.setTimeout(lingerMs)
  }
}

const lingerMs = 5000

/** Requests sent ahead have time: one of them, of whichever connection, at each turn of the event loop. */
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
