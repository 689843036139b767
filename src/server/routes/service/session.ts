import Type from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import { string } from '../../../domain/schema.ts'
import { viewKey } from '../../access/list-keys.ts'
import { KeyDescription } from '../../access/schema.ts'
import { beginSession, endSession, type SessionDeps } from '../../access/session-cache.ts'
import { clearSessionCookie, presentedKey, sessionTokenOf, setSessionCookie } from '../../requests/auth.ts'
import type { Routes } from '../../server.ts'

export function sessionRoutes(deps: SessionDeps): Routes {
  const tags = ['Keys']
  return (server) => {
    server.post('/v1/session', {
      config: { scope: 'any', reportsExpiry: true, problems: ['key-expired'] },
      schema: {
        tags,
        summary: 'Start a browser session with a key',
        description:
          'Needs the key itself. The response sets a cookie (HttpOnly, SameSite=Strict, Secure over HTTPS) that is accepted in place of the key until it expires, the key is no longer valid, or the session is deleted. With the cookie, requests other than GET also need the header X-Cheapside-Session, with any value, and must come from the same origin.',
        response: {
          201: Type.Object({
            expires_at: string('When the session ends', { format: 'date-time' }),
            key: KeyDescription,
          }),
        },
      },
      handler: async (request, reply) => {
        if (!presentedKey(request))
          throw new Problem(
            'unauthenticated',
            'A session cannot be used to start another one: send the API key.',
          )
        const { token, expiresAt } = await beginSession(deps, request.caller)
        const now = deps.now()
        setSessionCookie(request, reply, token, Math.max(0, Math.floor((expiresAt - now) / 1000)))
        return reply
          .code(201)
          .send({ expires_at: new Date(expiresAt).toISOString(), key: viewKey(request.caller, now) })
      },
    })
    server.delete('/v1/session', {
      config: { scope: 'any' },
      schema: {
        tags,
        summary: 'End the browser session',
        description: 'Signs out: every node stops accepting the cookie within five seconds.',
        response: { 204: Type.Null() },
      },
      handler: async (request, reply) => {
        const token = sessionTokenOf(request)
        if (token !== undefined) await endSession(deps, token)
        clearSessionCookie(request, reply)
        return reply.code(204).send(null)
      },
    })
  }
}
