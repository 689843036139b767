import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify'
import type { ExchangeRate } from '../domain/manifest.ts'
import { Problem } from '../domain/problem.ts'
import { addressMatcher, type ConnectionBounds, ConnectionLimits } from './connections/connection-limits.ts'
import { createListener, headerBytes, type TlsFiles } from './connections/listener.ts'
import { answerProblem } from './problems.ts'
import {
  type AdmissionDeps,
  admissionTo,
  answerCors,
  defaultBodyBytes,
  hasBody,
  requestIdOf,
} from './requests/admission.ts'
import { readBodies } from './requests/body.ts'
import { convertAnswers } from './requests/currency.ts'
import { rateProblem, refuseAboveRate } from './requests/rate-limit.ts'
import { compileValidator, type SchemaTypes } from './requests/validation.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>
export type Routes = (server: Server) => void

interface ServerDeps extends AdmissionDeps {
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly bounds: ConnectionBounds & { readonly requestSeconds: number; readonly writeSeconds: number }
  /** In PEM format. Without it, the server speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined
  /** The rate at which amounts are shown in another currency. */
  readonly exchange?: (() => ExchangeRate | null) | undefined
  readonly routes: readonly Routes[]
}

export const largeBodyBytes = 16 * 1024 * 1024

const securityHeaders: readonly [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

/** Builds the server, in which every request passes the same steps in the same order. */
export function buildServer(deps: ServerDeps): { server: Server; routeTable: RouteTable } {
  const origins = new Set(deps.corsOrigins)
  const routeTable = new RouteTable()
  const admission = admissionTo(deps)
  const server = createServer(deps)
  server.addHook('onRoute', (route) => {
    if (route.config?.hasAmounts) convertAnswers(route, () => deps.exchange?.())
    routeTable.add(route)
    route.onRequest = [admission(route), ...[route.onRequest ?? []].flat()]
  })
  const nowhere = deps.metrics.durationsOf('any', 'none')
  const refuseNowhere = (request: FastifyRequest, reply: FastifyReply): never => {
    const problem = nowhereProblem(request, routeTable, reply)
    nowhere.observe(problem.code === 'not-found' ? 404 : 405, 0)
    throw problem
  }
  server.addHook('onRequest', (request, reply, done) => {
    // Set by `reply.header`: Fastify writes its headers in one call, while headers set on the raw response are checked one
    // by one.
    reply.header('x-request-id', request.id)
    for (const [name, value] of securityHeaders) reply.header(name, value)
    // The server supports no upgrade, and the parser skips everything after a request that offers one, so the connection is
    // closed.
    const { upgrade } = request.raw.headers
    const isLast = upgrade !== undefined || deps.readiness.phase === 'draining'
    if (isLast && !hasBody(request)) reply.header('connection', 'close')
    const hosts = countHosts(request.raw.rawHeaders)
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1'))
      throw new Problem('bad-request', 'An HTTP/1.1 request must have one Host header.')
    // All other requests are counted by the route that they reach.
    if (request.is404 || request.method === 'OPTIONS')
      refuseAboveRate(deps.authenticator.openBuckets, request.ip)
    if (answerCors(origins, request, reply)) return
    // Refused before the body is read, because no route would use it.
    if (request.is404) refuseNowhere(request, reply)
    done()
  })
  server.setNotFoundHandler(refuseNowhere)
  for (const routes of deps.routes) routes(server)
  return { server, routeTable }
}

function createServer(deps: ServerDeps): Server {
  const isProxy = addressMatcher(deps.trustedProxies)
  const limits = new ConnectionLimits(deps.bounds, isProxy)
  deps.metrics.gauge('cheapside_http_connections', 'Open connections.', () => limits.open)
  const refused = deps.metrics.counter(
    'cheapside_http_connections_refused_total',
    'Connections refused because of the limit in total or per address.',
  )
  const listener = { ...deps.bounds, tls: deps.tls, limits, log: deps.log, onRefused: () => refused.inc() }
  const server: Server = Fastify({
    // Fastify would create a logger for each request. The service logs failures, and every request only at the levels debug
    // and trace.
    logger: false,
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: defaultBodyBytes,
    trustProxy: deps.trustedProxies.length > 0 ? isProxy : false,
    serverFactory: (handle) => createListener(handle, listener),
    // The listener handles client errors itself.
    clientErrorHandler: () => {},
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: { maxParamLength: headerBytes },
    frameworkErrors: (error, request, reply) => {
      const { openBuckets } = deps.authenticator
      answerProblem(deps.log, rateProblem(openBuckets, request.ip) ?? error, request, reply)
    },
  })
  server.setValidatorCompiler(compileValidator)
  // Response schemas are only documentation: JSON.stringify is faster than a serialiser compiled from them.
  server.setSerializerCompiler(() => JSON.stringify)
  server.setErrorHandler((error, request, reply) => answerProblem(deps.log, error, request, reply))
  readBodies(server)
  server.decorateRequest('caller', null as never)
  server.decorateRequest('limitBytes', 0)
  server.decorateReply('borrowed', null)
  return server
}

/** Says why no route was found, or why the route that was called has found nothing. */
function nowhereProblem({ url, method }: FastifyRequest, routeTable: RouteTable, reply: FastifyReply) {
  const path = url.split('?')[0]!
  const allowed = routeTable.methodsAt(path)
  // If the method is allowed at this path, a route was called and has found nothing of that name.
  if (allowed.length === 0 || allowed.includes(method))
    return new Problem('not-found', `No route matches ${path}.`)
  reply.header('allow', allowed.join(', '))
  return new Problem('method-not-allowed', `${path} supports ${allowed.join(', ')}.`)
}

export interface RouteEntry {
  readonly method: string
  readonly url: string
  readonly route: RouteOptions
  readonly pattern: RegExp
}

/** Every route as it was registered, for the 405 answer and for the API document. */
export class RouteTable {
  readonly entries: RouteEntry[] = []

  add(route: RouteOptions): void {
    if (route.config?.scope === undefined) {
      throw new Error(`route ${route.method} ${route.url} does not say which scope it needs`)
    }
    const source = route.url
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace('\\*', '.*')
      .replace(/:\w+/g, '[^/]+')
    for (const method of [route.method].flat()) {
      this.entries.push({ method, url: route.url, route, pattern: new RegExp(`^${source}$`) })
    }
  }

  /** Methods that a path supports, sorted; empty if no route matches it. */
  methodsAt(path: string): string[] {
    return [
      ...new Set(this.entries.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
    ].sort()
  }
}

/** node:http ignores all Host headers but the first. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') count++
  return count
}
