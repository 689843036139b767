import type { FastifyReply, FastifyRequest } from 'fastify'
import { type KeyRecord, keyPrefix, type Scope } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { addressGroup } from '../connections/connection-limits.ts'
import { countRequest, type TokenBuckets } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route requires; 'any' for any valid key, 'none' for no key. Every route declares one. */
    scope?: Scope | 'any' | 'none'
    /** The route reports that a key has expired, but only to a caller who presents its secret. */
    reportsExpiry?: boolean
    /** Media types that the route can produce; JSON by default. */
    produces?: readonly string[]
    /** The route writes the body to a file as it arrives, so no memory is reserved for it. */
    spoolsBody?: boolean
  }
  interface FastifyRequest {
    /** Set on every route whose scope is not 'none'. */
    caller: KeyRecord
  }
}

export interface Authenticator {
  authenticate(presented: string | undefined): KeyRecord | undefined
  /** The key that the session with this token was opened with, if both are valid. */
  authenticateSession(token: string): KeyRecord | undefined
  /** The time at which the key expired; undefined if the secret is wrong or the key has not expired. */
  expiredAt(presented: string | undefined): number | undefined
  /** False if keys have not been checked against the database for too long. */
  keysAreFresh(): boolean
  /** Takes over keys and sessions that another node made a moment ago. Absent if there are no other nodes. */
  loadChanges?(): Promise<void>
  readonly keyBuckets: TokenBuckets
  /** Limits requests without a valid key to routes that need one. */
  readonly addressBuckets: TokenBuckets
  /** Limits requests to routes that need no key, by address. */
  readonly openBuckets: TokenBuckets
}

/**
 * Sets the caller of a request, or throws. The request is counted for its key, or for its address if it has no valid
 * key. Returns a promise only if the key or the session is not known here but may be new on another node, so that others
 * do not wait for a turn of the event loop.
 */
export function authenticateRequest(
  authenticator: Authenticator,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope | 'any',
): Promise<void> | undefined {
  if (!authenticator.keysAreFresh()) {
    throw new Problem('store-unavailable', 'Keys cannot be checked while the database is unavailable.', {
      retryAfterSeconds: 1,
    })
  }
  const presented = presentedKey(request)
  const token = presented ? undefined : sessionTokenOf(request)
  const identify = () =>
    token === undefined ? authenticator.authenticate(presented) : authenticator.authenticateSession(token)
  const admit = (caller: KeyRecord): void => {
    countRequest(authenticator.keyBuckets, caller.id, reply)
    if (token !== undefined) refuseForgery(request)
    if (scope !== 'any' && !caller.scopes.includes(scope))
      throw new Problem('forbidden', `This key lacks the scope ${scope}.`)
    request.caller = caller
  }
  const caller = identify()
  if (caller !== undefined) {
    admit(caller)
    return undefined
  }
  countRequest(authenticator.addressBuckets, addressGroup(request.ip), reply)
  if (authenticator.loadChanges === undefined || (presented ?? token) === undefined)
    throw refusalOf(authenticator, request, presented)
  return authenticator.loadChanges().then(() => {
    const known = identify()
    if (known === undefined) throw refusalOf(authenticator, request, presented)
    admit(known)
  })
}

function refusalOf(authenticator: Authenticator, request: FastifyRequest, presented: string | undefined) {
  const expiredAt = request.routeOptions.config.reportsExpiry ? authenticator.expiredAt(presented) : undefined
  if (expiredAt !== undefined)
    return new Problem('key-expired', `This key expired at ${new Date(expiredAt).toISOString()}.`)
  return new Problem('unauthenticated', 'Send a valid API key in the header X-API-KEY.')
}

export function presentedKey(request: FastifyRequest): string | undefined {
  const { 'x-api-key': own, authorization } = request.headers
  // Clients send the key with and without a scheme, and some send one of the two headers empty.
  if (typeof own === 'string' && own !== '') return withoutScheme(own)
  const credentials = authorization && withoutScheme(authorization)
  // Browsers send the password of a proxy in this header, together with the cookie of a session.
  return credentials?.startsWith(keyPrefix) ? credentials : undefined
}

const withoutScheme = (value: string): string => (/^bearer /i.test(value) ? value.slice(7).trim() : value)

/** A page of another origin cannot set this header without a preflight request, which is refused. */
const sessionHeader = 'x-cheapside-session'

/** Browsers accept a cookie with the prefix `__Host-` only if it is Secure, has the path / and is set by this very host. */
const secureName = '__Host-cheapside-session'
const plainName = 'cheapside-session'
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https'
const nameFor = (request: FastifyRequest): string => (isSecure(request) ? secureName : plainName)

/** The session token that the browser sent, if any. It has not been checked. */
export function sessionTokenOf(request: FastifyRequest): string | undefined {
  const wanted = `${nameFor(request)}=`
  return request.headers.cookie
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(wanted))
    ?.slice(wanted.length)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  seconds: number,
): void {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict']
  if (isSecure(request)) attributes.push('Secure')
  reply.header('set-cookie', [`${nameFor(request)}=${token}`, ...attributes].join('; '))
}

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setSessionCookie(request, reply, '', 0)

/**
 * A browser sends the cookie with every request to this host, so a request that changes something must prove that it comes
 * from a page of this origin: by a header that other origins cannot set, and by the origin that the browser reports.
 */
function refuseForgery(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return
  const { origin, [sessionHeader]: own, 'sec-fetch-site': site } = request.headers
  if (own !== undefined && (site === undefined ? isOrigin(origin, request.host) : site === 'same-origin'))
    return
  throw new Problem('forged-request', 'This request does not come from a page of the console.')
}

/** A missing origin is accepted, because programs other than browsers send none. */
const isOrigin = (origin: string | undefined, host: string): boolean =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
