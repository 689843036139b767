import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { ByteBudget } from '../../runtime/byte-budget.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import { returnBuffer } from '../response-buffers.ts'
import { type Authenticator, authenticateRequest } from './auth.ts'
import { checkAccept, jsonMediaType } from './negotiation.ts'
import { refuseAboveRate } from './rate-limit.ts'

export interface AdmissionDeps {
  readonly authenticator: Authenticator
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly log: Log
}

const mebibyte = 1024 * 1024
export const defaultBodyBytes = mebibyte
/** Memory for bodies in transit: eight of the largest bodies in total, three for one organisation. */
const bodyBytesOfAll = 128 * mebibyte
const bodyBytesOfOne = 48 * mebibyte

export function takesBody({ method }: RouteOptions): boolean {
  return [method].flat().some((name) => name !== 'GET' && name !== 'HEAD')
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Makes the hook that decides, before the body is read, whether a request to a route is admitted. */
export function admissionTo(deps: AdmissionDeps): (route: RouteOptions) => onRequestHookHandler {
  const { readiness, authenticator } = deps
  const budget = new ByteBudget(bodyBytesOfAll, bodyBytesOfOne)
  deps.metrics.gauge(
    'cheapside_http_body_bytes',
    'Memory reserved for request bodies in transit.',
    () => budget.bytes,
  )
  return (route) => {
    const { scope, produces = [jsonMediaType], spoolsBody } = route.config!
    const account = accounting(deps, route)
    const limitBytes = takesBody(route) && !spoolsBody ? (route.bodyLimit ?? defaultBodyBytes) : 0
    return (request, reply, done) => {
      readiness.begin()
      request.limitBytes = limitBytes
      const startedAt = performance.now()
      let bodyBytes = 0
      // One listener does everything at the end of a request. An onResponse hook would add two more, and remove them again.
      reply.raw.on('close', () => {
        readiness.end()
        returnBuffer(reply)
        if (bodyBytes > 0) budget.release(request.caller.organisation, bodyBytes)
        const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest
        account(request, status, performance.now() - startedAt)
      })
      if (scope === 'none') refuseAboveRate(authenticator.openBuckets, request.ip)
      checkAccept(request.headers.accept, produces)
      const expectBody = (): void => {
        // The caller may be gone after a wait, and nothing would release the memory then.
        if (reply.raw.closed) return
        if (scope !== 'none' && limitBytes > 0 && hasBody(request)) {
          const bytes = announcedBytes(request, limitBytes)
          if (!budget.reserve(request.caller.organisation, bytes)) throw tooManyBodies()
          bodyBytes = bytes
        }
        if (request.headers.expect !== undefined) letContinue(request, reply)
      }
      if (scope !== 'none') {
        refuseUnlessReady(readiness)
        const waiting = authenticateRequest(authenticator, request, reply, scope!)
        if (waiting !== undefined) {
          waiting.then(expectBody).then(() => done(), done)
          return
        }
      }
      expectBody()
      done()
    }
  }
}

/** The number of bytes to reserve for a body; 0 if it is too large, because such a body is refused before it is read. */
function announcedBytes({ headers }: FastifyRequest, limitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return limitBytes
  const length = headers['content-length']
  return length === undefined || Number(length) > limitBytes ? 0 : Number(length)
}

const tooManyBodies = (): Problem =>
  new Problem('overloaded', 'Too many request bodies are in transit.', { retryAfterSeconds: 1 })

/** Sends 100 Continue only after admission, so that a client that is refused need not send the body. */
function letContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(raw.headers.expect!))
    reply.raw.writeContinue()
}

function accounting({ metrics, log }: AdmissionDeps, { method, url }: RouteOptions) {
  const verbose = ['debug', 'trace'].includes(log.level)
  const durations = metrics.durationsOf(String(method), url)
  return ({ id }: FastifyRequest, status: number, ms: number): void => {
    durations.observe(status, ms / 1000)
    if (verbose) log.debug({ method, route: url, status, ms, reqId: id }, 'answered')
  }
}

/** The status that other servers log too if an answer was not sent completely. */
const clientClosedRequest = 499

function refuseUnlessReady(readiness: Readiness): void {
  if (readiness.phase === 'starting') {
    throw new Problem('starting', 'The service is starting.', { retryAfterSeconds: 1 })
  }
  if (readiness.phase === 'draining') {
    throw new Problem('draining', 'This node is shutting down.', { retryAfterSeconds: 1 })
  }
}

const exposed =
  'link, etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, cheapside-scope, cheapside-measured, cheapside-exchange, cheapside-total'

/** Returns true if the request was a preflight request, which is then answered. */
export function answerCors(
  origins: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers
  if (origins.size === 0 || origin === undefined) return false
  reply.header('vary', 'origin')
  if (!origins.has(origin)) return false
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false
  reply
    .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    .header(
      'access-control-allow-headers',
      'x-api-key, authorization, content-type, x-request-id, if-match, if-none-match, mcp-protocol-version',
    )
    .header('access-control-max-age', '600')
    .code(204)
    .send()
  return true
}

/** Differs between processes, on all nodes. */
const processId = randomBytes(8).toString('hex')
let requests = 0

/** The id that the caller sent, if it is short and safe to log, so that a request can be traced through several systems. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
    ? given
    : `${processId}-${(++requests).toString(36)}`
}
