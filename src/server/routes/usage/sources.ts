import Type from 'typebox'
import { listSources } from '../../../usage/list-sources.ts'
import { UsageSource } from '../../../usage/source-schema.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

export function sourceRoutes(deps: Parameters<typeof listSources>[0], reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/sources', {
      config: { scope: 'gateway:read', problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary:
          'List clusters and machines that send usage, with what arrives, what is missing, and problems',
        description:
          'Clusters first, then machines, each sorted by name. Each is listed as soon as one of its samples is received.',
        response: {
          200: Type.Array(UsageSource),
        },
      },
      handler: async (request, reply) => {
        await reads.admit(request, reply)
        return reply.send(await listSources(deps, request.caller.organisation))
      },
    })
  }
}
