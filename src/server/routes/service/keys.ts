import Type from 'typebox'
import { scopes } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import { integer, optional, string } from '../../../domain/schema.ts'
import { parseTime } from '../../../domain/time.ts'
import { issueKey, type KeyDeps } from '../../access/issue-key.ts'
import { listKeys, viewKey } from '../../access/list-keys.ts'
import { defaultOverlapSeconds, maxOverlapSeconds, revokeKey, rotateKey } from '../../access/rotate-key.ts'
import { IssuedKeyView, KeyDescription } from '../../access/schema.ts'
import type { Routes } from '../../server.ts'

const KeyId = Type.Object({ id: Type.String({ maxLength: 64 }) })

const config = { scope: 'admin' } as const
const tags = ['Administration']

export function keyRoutes(deps: KeyDeps): Routes {
  return (server) => {
    issuingRoutes(deps)(server)
    endingRoutes(deps)(server)
  }
}

function issuingRoutes(deps: KeyDeps): Routes {
  return (server) => {
    server.get('/key', {
      config: { scope: 'any' },
      schema: {
        tags: ['Keys'],
        summary: 'Show the calling key',
        description: 'Returns the record of the API key in the request: its organisation, scopes and expiry.',
        response: { 200: KeyDescription },
      },
      handler: async (request, reply) => reply.send(viewKey(request.caller, deps.now())),
    })
    server.get('/admin/keys', {
      config,
      schema: {
        tags,
        summary: 'List keys',
        description: 'Newest first. Secrets are not stored and cannot be shown.',
        querystring: Type.Object({
          organisation: optional(string('Blank for all organisations', { maxLength: 63 })),
        }),
        response: { 200: Type.Object({ keys: Type.Array(KeyDescription) }) },
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
          'The first key of an organisation creates it. The key is part of this response only and cannot be shown again.',
        body: Type.Object({
          organisation: string('Lower-case letters, digits, dashes'),
          name: string('What the key is for'),
          scopes: Type.Array(Type.String(), { description: `Any of ${scopes.join(', ')}`, maxItems: 20 }),
          expires_at: optional(string('RFC 3339; default: never')),
        }),
        response: { 201: IssuedKeyView },
      },
      handler: async (request, reply) => {
        const { expires_at, ...wanted } = request.body
        const expiry = expires_at === undefined ? {} : { expiresAt: expiryOf(expires_at) }
        const { key, record } = await issueKey(deps, { ...wanted, ...expiry })
        return reply.code(201).send({ key, ...viewKey(record, deps.now()) })
      },
    })
  }
}

function endingRoutes(deps: KeyDeps): Routes {
  return (server) => {
    server.post('/admin/keys/:id/rotate', {
      config: { ...config, problems: ['not-found', 'conflict'] },
      schema: {
        tags,
        summary: 'Rotate a key',
        description:
          'The new key has the same organisation, name, scopes and expiry; the old key stays valid for the overlap.',
        params: KeyId,
        body: Type.Object({
          overlap_seconds: optional(
            integer(`How long the old key stays valid; default: ${defaultOverlapSeconds}`, {
              minimum: 0,
              maximum: maxOverlapSeconds,
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
          'Takes effect immediately on this node and within five seconds on every node. Revoking a revoked key changes nothing.',
        params: KeyId,
        response: { 200: KeyDescription },
      },
      handler: async (request, reply) =>
        reply.send(viewKey(await revokeKey(deps, request.params.id), deps.now())),
    })
  }
}

function expiryOf(text: string): number {
  const time = parseTime(text)
  if (time !== undefined) return time
  throw new Problem('invalid', 'The body is invalid.', {
    errors: [{ pointer: '/expires_at', message: 'must be a time such as 2027-01-31T00:00:00Z' }],
  })
}
