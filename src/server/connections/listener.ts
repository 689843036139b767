import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../log.ts'
import { brokenMessageProblem, rawAnswer } from '../problems.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { Backlog, maxWaiting, type RequestHandler, RequestQueue } from './request-queue.ts'

export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

export interface ListenerOptions {
  /** In PEM format. Without it, the server speaks plain HTTP. */
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

/** Creates a node:http server that limits the requests and the memory of each connection. */
export function createListener(handle: RequestHandler, options: ListenerOptions): Server {
  const requestMs = options.requestSeconds * 1000
  const http = {
    maxHeaderSize: headerBytes,
    requestTimeout: requestMs,
    headersTimeout: Math.ceil(requestMs / 2),
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: keepAliveMs,
    // node:http would answer a request without Host out of order and without a problem document. The first hook of the
    // server checks it.
    requireHostHeader: false,
  }
  const server =
    options.tls === undefined
      ? createServer(http)
      : createTlsServer({ ...http, handshakeTimeout: requestMs, ...options.tls })
  const backlog = new Backlog()
  const closeWhenStalled = stalledWriteCloser(server, options.writeSeconds)
  const add = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const { queue } = socket as Connection
    if (queue !== undefined && socket.writable) queue.add(response)
  }
  server.on('request', add)
  // requests/admission.ts sends 100 Continue for admitted requests; an unknown expectation may be ignored.
  server.on('checkContinue', add)
  server.on('checkExpectation', add)
  const serve = (socket: Connection): void => {
    socket.queue = new RequestQueue(socket, handle, backlog)
    stopParsingWhenFull(socket, socket.queue)
    closeWhenStalled(socket)
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
  // With TLS, requests arrive on a separate socket after the handshake.
  server.on('secureConnection', serve)
  server.on('connect', (_request, socket) => (socket as Connection).queue?.closeWith(rawAnswer(noTunnel())))
  server.on('clientError', (error, socket) => closeBroken(error, socket as Connection, options.log))
  return server
}

/**
 * One read of 64 KiB can contain thousands of requests, which are all parsed before any is answered, and node:http does
 * not limit them. If `onIncoming` returns a number other than 0, 1 and 2, the parser stops at once with the error below.
 * The public way is to pause the socket and to ignore the rest: 50 connections that send 65 kB each then cost 5.3 s of CPU
 * and 550 MB instead of 0.2 s and 130 MB.
 */
function stopParsingWhenFull({ parser }: Connection, queue: RequestQueue): void {
  if (parser === undefined) return
  const { onIncoming } = parser
  parser.onIncoming = (request, keepAlive) => (queue.isFull ? stopParsing : onIncoming(request, keepAlive))
}

const stopParsing = -1
const stoppedParsing = 'HPE_CB_HEADERS_COMPLETE'
/** Data follows a request with `Connection: close`. That request is answered; what follows it is not. */
const afterLast = 'HPE_CLOSED_CONNECTION'

function closeBroken(error: BrokenMessage, socket: Connection, log: Log): void {
  // A connection on which nothing was sent is not waiting for an answer, and an answer could be taken for that to a
  // request which is sent at this moment.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || isUnused || !socket.writable || socket.queue === undefined) {
    socket.destroy()
    return
  }
  // The error itself also has the bytes of the request, which may contain a key.
  log.debug({ code: error.code, reason: error.message }, 'malformed request')
  if (error.code === afterLast) socket.queue.closeWith('')
  else if (error.code === stoppedParsing) socket.queue.closeWith(rawAnswer(tooManyAhead()))
  else {
    // The answer to a HEAD request has no body, even if the request is malformed.
    const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD '
    const answer = rawAnswer(brokenMessageProblem(error))
    socket.queue.closeWith(isHead ? answer.slice(0, answer.indexOf('\r\n\r\n') + 4) : answer)
  }
}

/** The error that node:http reports, with the bytes that it read last. */
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
  new Problem('rate-limited', `A connection may pipeline at most ${maxWaiting} requests.`, {
    retryAfterSeconds: 1,
  })

const noTunnel = (): Problem =>
  new Problem('method-not-allowed', 'This is not a proxy: CONNECT is not supported.')

/**
 * Returns a function that adds a connection to those which are closed if their client has not read any byte of its answer
 * for this long. The timeout of a socket is not enough, because it restarts with every byte that the client sends. Clients
 * that send too slowly are closed by the timeouts of node:http for headers, for requests and for idle connections.
 */
function stalledWriteCloser(server: Server, seconds: number): (socket: Socket) => void {
  const progress = new Map<Socket, { written: number; sinceMs: number }>()
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
  return (socket) => {
    progress.set(socket, { written: 0, sinceMs: 0 })
    socket.once('close', () => progress.delete(socket))
  }
}

const sweepMs = 1000

/** Bytes that the kernel accepted. node:net itself reads the handle's queue to see progress within one large write. */
function writtenBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
