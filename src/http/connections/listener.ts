import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../log.ts'
import { brokenMessageProblem, rawAnswer } from '../problems.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { Backlog, mostWaiting, type RequestHandler, RequestQueue } from './request-queue.ts'

export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

interface ListenerOptions {
  /** PEM; absent: plain HTTP. */
  readonly tls?: TlsFiles | undefined
  readonly requestSeconds: number
  readonly writeSeconds: number
  readonly limits: ConnectionLimits
  readonly onRefused: () => void
  readonly log: Log
}

export const headerBytes = 16 * 1024
const keepAliveMs = 72_000

interface Connection extends Socket {
  queue?: RequestQueue
  /** The parser of node:http, which calls `onIncoming` once for each request that it parses. */
  parser?: { onIncoming(request: IncomingMessage, keepAlive: boolean): number }
}

/** A node:http server that bounds what one connection can ask for and hold. */
export function createListener(handle: RequestHandler, options: ListenerOptions): Server {
  const requestMs = options.requestSeconds * 1000
  const http = {
    maxHeaderSize: headerBytes,
    requestTimeout: requestMs,
    headersTimeout: Math.ceil(requestMs / 2),
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: keepAliveMs,
    // It would be answered out of order and without a problem document; the first hook of the server checks for it.
    requireHostHeader: false,
  }
  const server = options.tls === undefined ? createServer(http) : createTlsServer({ ...http, ...options.tls })
  const backlog = new Backlog()
  const add = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const { queue } = socket as Connection
    if (queue !== undefined && socket.writable) queue.add(response)
  }
  server.on('request', add)
  // server.ts sends 100 Continue for admitted requests; an unknown expectation may be ignored.
  server.on('checkContinue', add)
  server.on('checkExpectation', add)
  const serve = (socket: Connection): void => {
    socket.queue = new RequestQueue(socket, handle, backlog)
    stopParsingWhenFull(socket, socket.queue)
  }
  server.on('connection', (socket: Connection) => {
    if (options.limits.admit(socket)) {
      if (options.tls === undefined) serve(socket)
      return
    }
    options.onRefused()
    if (options.tls === undefined) refuse(socket)
    else socket.destroy()
  })
  // With TLS, requests arrive on a socket of their own once the handshake is done.
  server.on('secureConnection', serve)
  server.on('connect', (_request, socket) => (socket as Connection).queue?.closeWith(rawAnswer(noTunnel())))
  server.on('clientError', (error, socket) => closeBroken(error, socket as Connection, options.log))
  server.setTimeout(options.writeSeconds * 1000, (socket: Connection) => {
    // Nothing was sent or received for so long. Work may take longer, a client may not take longer to read.
    const isWorking = socket.queue?.isIdle === false && socket.writable
    if (!isWorking || socket.writableLength > 0) socket.destroy()
  })
  closeStalledWrites(server, options.writeSeconds)
  return server
}

/**
 * One read of 64 KiB can hold thousands of requests, all parsed before any is answered, and node:http has no limit of its
 * own. An answer other than 0, 1 and 2 ends the parsing there and then, with the error below.
 */
function stopParsingWhenFull({ parser }: Connection, queue: RequestQueue): void {
  if (parser === undefined) return
  const { onIncoming } = parser
  parser.onIncoming = (request, keepAlive) => (queue.isFull ? stopParsing : onIncoming(request, keepAlive))
}

const stopParsing = -1
const stoppedParsing = 'HPE_CB_HEADERS_COMPLETE'
/** More after a request with `Connection: close`: it is answered, what follows is not. */
const afterLast = 'HPE_CLOSED_CONNECTION'

function closeBroken(error: BrokenMessage, socket: Connection, log: Log): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.queue === undefined) {
    socket.destroy()
    return
  }
  log.debug({ err: error }, 'broken message')
  if (error.code === afterLast) socket.queue.closeWith('')
  else if (error.code === stoppedParsing) socket.queue.closeWith(rawAnswer(tooManyAhead()))
  else {
    // What began with HEAD has no body in its answer, whatever else is wrong with it.
    const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD '
    const answer = rawAnswer(brokenMessageProblem(error))
    socket.queue.closeWith(isHead ? answer.slice(0, answer.indexOf('\r\n\r\n') + 4) : answer)
  }
}

/** As node:http reports it, with what was read last. */
interface BrokenMessage extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

function refuse(socket: Socket): void {
  socket.end(
    rawAnswer(
      new Problem('too-many-connections', 'Too many connections are open; close some or retry.', {
        retryAfterSeconds: 1,
      }),
    ),
  )
  socket.destroySoon()
}

const tooManyAhead = (): Problem =>
  new Problem('rate-limited', `A connection may pipeline at most ${mostWaiting} requests.`, {
    retryAfterSeconds: 1,
  })

const noTunnel = (): Problem =>
  new Problem('method-not-allowed', 'This is not a proxy: CONNECT is not supported.')

/**
 * Closes connections whose client has not read anything of its answer for this long. The timeout of a socket is not enough: it restarts
 * with every byte that the client sends.
 */
function closeStalledWrites(server: Server, seconds: number): void {
  const progress = new Map<Socket, Progress>()
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { written: 0, sinceMs: 0 })
    socket.once('close', () => progress.delete(socket))
  })
  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, last] of progress) {
      const written = writtenBytes(socket)
      if (socket.writableLength === 0 || written !== last.written) {
        last.written = written
        last.sinceMs = nowMs
      } else if (nowMs - last.sinceMs > seconds * 1000) socket.destroy()
    }
  }, sweepMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

interface Progress {
  written: number
  sinceMs: number
}

const sweepMs = 1000

/** Bytes that the kernel took; the handle's queue is what node:net itself looks at to see progress within one large write. */
function writtenBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
