import Type from 'typebox'
import { scopes } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { parseTime } from '../../domain/time.ts'
import type { KeyDeps } from '../../operations/keys/deps.ts'
import { issueKey } from '../../operations/keys/issue-key.ts'
import { listKeys } from '../../operations/keys/list-keys.ts'
import { revokeKey } from '../../operations/keys/revoke-key.ts'
import { defaultOverlapSeconds, maxOverlapSeconds, rotateKey } from '../../operations/keys/rotate-key.ts'
import { keyJson, viewKey } from '../../operations/keys/view-key.ts'
import { jsonContentType } from '../negotiation.ts'
import { IssuedKeyView, KeyView } from '../schemas/keys.ts'
import type { Routes } from '../server.ts'

const KeyId = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** Keys of every organisation, for the operator of the service. */
export function keyRoutes(deps: KeyDeps): Routes {
  const config = { scope: 'admin' } as const
  const tags = ['Administration']
  return (server) => {
    server.get('/key', {
      config: { scope: 'any' },
      schema: {
        tags: ['Keys'],
        summary: 'What is my key?',
        description: 'The record of the key that asks: its organisation, its scopes, when it ends.',
        response: { 200: KeyView },
      },
      handler: (request, reply) =>
        reply.header('content-type', jsonContentType).send(keyJson(request.caller, deps.now())),
    })
    server.get('/admin/keys', {
      config,
      schema: {
        tags,
        summary: 'List keys',
        description: 'Newest first. Secrets are not kept and never shown.',
        querystring: Type.Object({
          organisation: Type.Optional(Type.String({ maxLength: 63, description: 'Blank: of every one' })),
        }),
        response: { 200: Type.Object({ keys: Type.Array(KeyView) }) },
      },
      handler: async (request, reply) => {
        const keys = await listKeys(deps, request.query.organisation || undefined)
        return reply.send({ keys: keys.map((key) => viewKey(key, deps.now())) })
      },
    })
    server.post('/admin/keys', {
      config,
      schema: {
        tags,
        summary: 'Issue a key',
        description:
          'The organisation comes into being with its first key. The answer holds the key, this once.',
        body: Type.Object({
          organisation: Type.String({ description: 'Lower-case letters, digits, dashes' }),
          name: Type.String({ description: 'What the key is for' }),
          scopes: Type.Array(Type.String(), { description: `Any of ${scopes.join(', ')}`, maxItems: 20 }),
          expires_at: Type.Optional(Type.String({ description: 'RFC 3339; absent: never' })),
        }),
        response: { 201: IssuedKeyView },
      },
      handler: async (request, reply) => {
        const { expires_at, ...preference } = request.body
        const expiry = expires_at === undefined ? {} : { expiresAt: expiryOf(expires_at) }
        const { key, record } = await issueKey(deps, { ...preference, ...expiry })
        return reply.code(201).send({ key, ...viewKey(record, deps.now()) })
      },
    })
    server.post('/admin/keys/:id/rotate', {
      config: { ...config, problems: ['not-found', 'conflict'] },
      schema: {
        tags,
        summary: 'Replace a key by a new one',
        description:
          'The new key has the same organisation, name, scopes and expiry; the old one stays good for the overlap.',
        params: KeyId,
        body: Type.Object({
          overlap_seconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: maxOverlapSeconds,
              description: `How long the old key stays good; ${defaultOverlapSeconds} if absent`,
            }),
          ),
        }),
        response: { 201: IssuedKeyView },
      },
      handler: async (request, reply) => {
        const { key, record } = await rotateKey(deps, request.params.id, request.body.overlap_seconds)
        return reply.code(201).send({ key, ...viewKey(record, deps.now()) })
      },
    })
    server.post('/admin/keys/:id/revoke', {
      config: { ...config, problems: ['not-found'] },
      schema: {
        tags,
        summary: 'Revoke a key',
        description:
          'It holds at once here and within five seconds on every node. Revoking again changes nothing.',
        params: KeyId,
        response: { 200: KeyView },
      },
      handler: async (request, reply) =>
        reply.send(viewKey(await revokeKey(deps, request.params.id), deps.now())),
    })
  }
}

function expiryOf(text: string): number {
  const time = parseTime(text)
  if (time !== undefined) return time
  throw new Problem('invalid', 'The body does not fit.', {
    errors: [{ pointer: '/expires_at', message: 'must be a time such as 2027-01-31T00:00:00Z' }],
  })
}
