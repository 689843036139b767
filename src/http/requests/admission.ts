import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { ByteBudget } from '../../runtime/fair-queue.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import { returnBuffer } from '../response-buffers.ts'
import { type Authenticator, authenticateRequest } from './auth.ts'
import { checkAccept, jsonMediaType } from './negotiation.ts'
import { refuseAboveRate } from './rate-limit.ts'

export interface AdmissionParts {
  readonly authenticator: Authenticator
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly log: Log
}

const mebibyte = 1024 * 1024
export const defaultBodyBytes = mebibyte
/** For bodies on their way: eight of the largest in all, three of one organisation. */
const bodyBytesOfAll = 128 * mebibyte
const bodyBytesOfOne = 48 * mebibyte

export function takesBody({ method }: RouteOptions): boolean {
  return [method].flat().some((one) => one !== 'GET' && one !== 'HEAD')
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** What a route asks of a request before its body is read. */
export function admissionTo(parts: AdmissionParts): (route: RouteOptions) => onRequestHookHandler {
  const { readiness, authenticator } = parts
  const budget = new ByteBudget(bodyBytesOfAll, bodyBytesOfOne)
  parts.metrics.gauge(
    'cheapside_http_body_bytes',
    'Memory reserved for request bodies in transit.',
    () => budget.bytes,
  )
  return (route) => {
    const { scope, produces = [jsonMediaType] } = route.config!
    const account = accounting(parts, route)
    const limitBytes = takesBody(route) ? (route.bodyLimit ?? defaultBodyBytes) : 0
    return (request, reply, done) => {
      readiness.begin()
      const startedAt = performance.now()
      let bodyBytes = 0
      // One listener for all that is to be done at the end: an onResponse hook would cost two more, and their removal.
      reply.raw.on('close', () => {
        readiness.end()
        returnBuffer(reply)
        if (bodyBytes > 0) budget.release(request.caller.organisation, bodyBytes)
        const status = reply.raw.writableFinished ? reply.statusCode : leftBefore
        account(request, status, performance.now() - startedAt)
      })
      if (scope === 'none') refuseAboveRate(authenticator.openBuckets, request.ip)
      checkAccept(request.headers.accept, produces)
      if (scope !== 'none') {
        refuseUnlessReady(readiness)
        authenticateRequest(authenticator, request, reply, scope!)
        if (limitBytes > 0 && hasBody(request)) {
          const bytes = announcedBytes(request, limitBytes)
          if (!budget.reserve(request.caller.organisation, bytes)) throw tooManyBodies()
          bodyBytes = bytes
        }
      }
      if (request.headers.expect !== undefined) letContinue(request, reply)
      done()
    }
  }
}

/** The budgeted size of a body; one that is too large is refused before it is read. */
function announcedBytes({ headers }: FastifyRequest, limitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return limitBytes
  const length = headers['content-length']
  return length === undefined || Number(length) > limitBytes ? 0 : Number(length)
}

const tooManyBodies = (): Problem =>
  new Problem('overloaded', 'Too many request bodies are in transit.', { retryAfterSeconds: 1 })

/** Only now: who is refused need not send the body at all. */
function letContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(raw.headers.expect!))
    reply.raw.writeContinue()
}

function accounting({ metrics, log }: AdmissionParts, { method, url }: RouteOptions) {
  const verbose = ['debug', 'trace'].includes(log.level)
  const durations = metrics.durationsOf(String(method), url)
  return ({ id }: FastifyRequest, status: number, ms: number): void => {
    durations.observe(status, ms / 1000)
    if (verbose) log.debug({ method, route: url, status, ms, reqId: id }, 'answered')
  }
}

/** As other servers count it: the answer was not sent to its end, mostly because the client left. */
const leftBefore = 499

function refuseUnlessReady(readiness: Readiness): void {
  if (readiness.phase === 'starting') {
    throw new Problem('starting', 'The service is starting.', { retryAfterSeconds: 1 })
  }
  if (readiness.phase === 'draining') {
    throw new Problem('draining', 'This node is shutting down.', { retryAfterSeconds: 1 })
  }
}

const exposed = 'link, etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id'

/** Lets the named origins in; true where the request was a preflight and is answered. */
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
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header(
      'access-control-allow-headers',
      'x-api-key, authorization, content-type, x-request-id, if-none-match',
    )
    .header('access-control-max-age', '600')
    .code(204)
    .send()
  return true
}

/** Unlike any other process's, of any node. */
const processId = randomBytes(8).toString('hex')
let requests = 0

/** The caller's own id where it is harmless, so that a request can be followed through several systems. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
    ? given
    : `${processId}-${(++requests).toString(36)}`
}
