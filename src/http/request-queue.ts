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
  readonly #waiting: ServerResponse[] = []
  #active: ServerResponse | undefined
  #lastAnswer: string | undefined

  constructor(socket: Socket, handle: RequestHandler) {
    this.#socket = socket
    this.#handle = handle
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostWaiting
  }

  get isIdle(): boolean {
    return this.#active === undefined
  }

  add(response: ServerResponse): void {
    if (this.#active === undefined) this.#start(response)
    else this.#waiting.push(response)
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
    this.#active = response
    response.on('close', this.#next)
    this.#handle(response.req, response)
  }

  readonly #next = (): void => {
    this.#active = undefined
    if (!this.#socket.writable) {
      this.#waiting.length = 0
      return
    }
    const next = this.#waiting.shift()
    if (this.#lastAnswer !== undefined && !next?.req.complete) this.#close()
    else if (next !== undefined) this.#start(next)
  }

  #close(): void {
    this.#waiting.length = 0
    this.#socket.end(this.#lastAnswer ?? '')
    // The client has this long to read it: closing at once, with bytes of it unread here, would reset the connection.
    this.#socket.setTimeout(lingerMs)
  }
}

const lingerMs = 5000
