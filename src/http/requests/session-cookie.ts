import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/problem.ts'

/** A page of another origin cannot set it without a preflight, which is refused. */
export const sessionHeader = 'x-cheapside-session'

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
export function refuseForgery(request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return
  const { origin, [sessionHeader]: own, 'sec-fetch-site': site } = request.headers
  if (own !== undefined && (site === undefined ? isOrigin(origin, request.host) : site === 'same-origin'))
    return
  throw new Problem('forged-request', 'This request does not come from a page of the console.')
}

/** Programs other than browsers send no origin. */
const isOrigin = (origin: string | undefined, host: string): boolean =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
