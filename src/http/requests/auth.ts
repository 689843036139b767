import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRecord, Scope } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { addressGroup } from '../connections/connection-limits.ts'
import { countRequest, type TokenBuckets } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route requires; 'any' for any valid key, 'none' for no key. Every route declares one. */
    scope?: Scope | 'any' | 'none'
    /** The route says so where a key has expired, to its holder alone. */
    tellsExpiry?: boolean
    /** Media types that the route can produce; JSON by default. */
    produces?: readonly string[]
  }
  interface FastifyRequest {
    /** Set on every route that asks for a scope. */
    caller: KeyRecord
  }
}

export interface Authenticator {
  authenticate(presented: string | undefined): KeyRecord | undefined
  /** The key that was traded for the token of a session, if both are good. */
  authenticateSession(token: string): KeyRecord | undefined
  /** When the key expired, if its secret is right. */
  expiredAt(presented: string | undefined): number | undefined
  /** False when keys were not confirmed by the database for too long. */
  keysAreFresh(): boolean
  readonly keyBuckets: TokenBuckets
  /** Limits requests without a valid key to routes that need one. */
  readonly addressBuckets: TokenBuckets
  /** Limits requests to routes that need no key, by address. */
  readonly openBuckets: TokenBuckets
}

/** Lets a request in, or throws. It is counted once: against its key, or against its address if it has no valid one. */
export function authenticateRequest(
  authenticator: Authenticator,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope | 'any',
): void {
  if (!authenticator.keysAreFresh()) {
    throw new Problem('store-unavailable', 'Keys cannot be checked while the database is unavailable.', {
      retryAfterSeconds: 1,
    })
  }
  const presented = presentedKey(request)
  const token = presented ? undefined : sessionTokenOf(request)
  const caller =
    token === undefined ? authenticator.authenticate(presented) : authenticator.authenticateSession(token)
  if (caller === undefined) {
    countRequest(authenticator.addressBuckets, addressGroup(request.ip), reply)
    throw refusalOf(authenticator, request, presented)
  }
  countRequest(authenticator.keyBuckets, caller.id, reply)
  if (token !== undefined) refuseForgery(request)
  if (scope !== 'any' && !caller.scopes.includes(scope))
    throw new Problem('forbidden', `This key lacks the scope ${scope}.`)
  request.caller = caller
}

function refusalOf(
  authenticator: Authenticator,
  request: FastifyRequest,
  presented: string | undefined,
): Problem {
  const expiredAt = request.routeOptions.config.tellsExpiry ? authenticator.expiredAt(presented) : undefined
  if (expiredAt !== undefined)
    return new Problem('key-expired', `This key expired at ${new Date(expiredAt).toISOString()}.`)
  return new Problem('unauthenticated', 'Send a valid API key in the header X-API-KEY.')
}

export function presentedKey(request: FastifyRequest): string | undefined {
  const { 'x-api-key': own, authorization } = request.headers
  // Clients send the key with and without a scheme, and some an empty header beside the other one.
  return typeof own === 'string' && own !== ''
    ? withoutScheme(own)
    : authorization && withoutScheme(authorization)
}

const withoutScheme = (value: string): string => (/^bearer /i.test(value) ? value.slice(7).trim() : value)

/** A page of another origin cannot set it without a preflight, which is refused. */
const sessionHeader = 'x-cheapside-session'

/** Browsers take the prefix only with Secure, for the whole host, and from no other one of the domain. */
const secureName = '__Host-cheapside-session'
const plainName = 'cheapside-session'
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https'
const nameFor = (request: FastifyRequest): string => (isSecure(request) ? secureName : plainName)

/** The token that the browser sent; undefined where it sent none. It may be anything. */
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
 * A browser sends the cookie by itself, so what changes something must prove that a page of this origin asked for it:
 * by a header that others cannot set, and by what the browser says of where the request comes from.
 */
function refuseForgery(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return
  const { origin, [sessionHeader]: own, 'sec-fetch-site': site } = request.headers
  if (own !== undefined && (site === undefined ? isOrigin(origin, request.host) : site === 'same-origin'))
    return
  throw new Problem('forged-request', 'This request does not come from a page of the console.')
}

/** Programs other than browsers send no origin. */
const isOrigin = (origin: string | undefined, host: string): boolean =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
