import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify'
import { Problem } from '../domain/problem.ts'
import { giveBack } from './answer-memory.ts'
import { admit, type Doorman } from './auth.ts'
import { readBodies } from './body.ts'
import { answerCors } from './cors.ts'
import type { Log } from './log.ts'
import type { HttpMetrics } from './metrics.ts'
import { checkAccept, jsonMediaType } from './negotiation.ts'
import { answerBrokenMessage, answerProblem } from './problems.ts'
import type { Readiness } from './readiness.ts'
import { RouteTable } from './route-table.ts'
import { compileValidator, type SchemaTypes } from './validation.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>
export type Routes = (server: Server) => void

export interface ServerParts {
  readonly doorman: Doorman
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly log: Log
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly requestSeconds: number
  /** PEM; absent: plain HTTP. */
  readonly tls?: TlsFiles | undefined
  readonly routes: readonly Routes[]
}

export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

const defaultBodyBytes = 1024 * 1024
export const largeBodyBytes = 16 * 1024 * 1024
const headerBytes = 16 * 1024

const securityHeaders: readonly [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

/** The service's door: every request passes the same steps in the same order. */
export function buildServer(parts: ServerParts): { server: Server; routeTable: RouteTable } {
  const origins = new Set(parts.corsOrigins)
  const routeTable = new RouteTable()
  const connections = {
    maxHeaderSize: headerBytes,
    headersTimeout: Math.ceil((parts.requestSeconds * 1000) / 2),
    connectionsCheckingInterval: 1000,
  }
  const server = Fastify({
    // Fastify would make a logger for each request; we log what went wrong, and every request only when asked.
    logger: false,
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: defaultBodyBytes,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    requestTimeout: parts.requestSeconds * 1000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: true,
    ...(parts.tls === undefined ? { http: connections } : { https: { ...connections, ...parts.tls } }),
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: (error, socket) => answerBrokenMessage(error, socket, parts.log),
    frameworkErrors: (error, request, reply) => void answerProblem(parts.log, error, request, reply),
  }) as Server
  server.setValidatorCompiler(compileValidator)
  // Response schemas only document: JSON.stringify is faster than a serialiser compiled from them.
  server.setSerializerCompiler(() => JSON.stringify)
  server.setErrorHandler((error, request, reply) => answerProblem(parts.log, error, request, reply))
  readBodies(server)
  server.decorateRequest('caller', null as never)
  server.decorateReply('borrowed', null)
  server.addHook('onRoute', (route) => {
    routeTable.add(route)
    route.onRequest = [admission(parts, route), ...[route.onRequest ?? []].flat()]
  })

  server.addHook('onRequest', (request, reply, done) => {
    // Fastify's own headers are written in one go; those set on the raw response are checked one by one.
    reply.header('x-request-id', request.id)
    for (const [name, value] of securityHeaders) reply.header(name, value)
    if (answerCors(origins, request, reply)) return
    // Before the body is read: what it holds does not matter where nothing takes it.
    if (request.is404) refuseNowhere(request, reply)
    done()
  })
  const nowhere = parts.metrics.durationsOf('any', 'none')
  const refuseNowhere = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?')[0]!
    const allowed = routeTable.methodsAt(path)
    // A route may find that it has nothing of that name.
    const isNothing = allowed.length === 0 || allowed.includes(request.method)
    nowhere.observe(isNothing ? 404 : 405, 0)
    if (isNothing) throw new Problem('not-found', `There is nothing at ${path}.`)
    reply.header('allow', allowed.join(', '))
    throw new Problem('method-not-allowed', `${path} takes ${allowed.join(', ')}.`)
  }
  server.setNotFoundHandler(refuseNowhere)

  for (const routes of parts.routes) routes(server)
  return { server, routeTable }
}

/** What a route asks of a request before its body is read. */
function admission(parts: ServerParts, route: RouteOptions): onRequestHookHandler {
  const { readiness, doorman } = parts
  const { scope, produces = [jsonMediaType] } = route.config!
  const account = accounting(parts, route)
  return (request, reply, done) => {
    readiness.begin()
    const startedAt = performance.now()
    // One listener for all that is to be done at the end: an onResponse hook would cost two more, and their removal.
    reply.raw.on('close', () => {
      readiness.end()
      giveBack(reply)
      const status = reply.raw.writableFinished ? reply.statusCode : leftBefore
      account(request, status, performance.now() - startedAt)
    })
    checkAccept(request.headers.accept, produces)
    if (scope !== 'none') {
      refuseUnlessReady(readiness)
      admit(doorman, request, reply, scope!)
    }
    done()
  }
}

function accounting({ metrics, log }: ServerParts, { method, url }: RouteOptions) {
  const verbose = ['debug', 'trace'].includes(log.level)
  const durations = metrics.durationsOf(String(method), url)
  return ({ id }: FastifyRequest, status: number, ms: number): void => {
    durations.observe(status, ms / 1000)
    if (verbose) log.debug({ method, route: url, status, ms, reqId: id }, 'answered')
  }
}

/** As other servers count it: the answer was not sent to its end, mostly since nobody waited for it. */
const leftBefore = 499

function refuseUnlessReady(readiness: Readiness): void {
  if (readiness.phase === 'starting') {
    throw new Problem('starting', 'The service is starting.', { retryAfterSeconds: 1 })
  }
  if (readiness.phase === 'draining') {
    throw new Problem('draining', 'This node is shutting down.', { retryAfterSeconds: 1 })
  }
}

/** Unlike any other process's, of any node. */
const processId = randomBytes(8).toString('hex')
let requests = 0

/** The caller's own id where it is harmless, so that a request can be followed through several systems. */
function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
    ? given
    : `${processId}-${(++requests).toString(36)}`
}
